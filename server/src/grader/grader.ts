import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { NameBook } from './anonymizer/name-book.ts'

/** What one student wrote for one question. */
export interface Answer {
  question_id: string
  /** The student's words only: the blank's own print is taken out. Empty when nothing was written. */
  text: string
  /** False when the question's place could not be found in the paper at all. */
  found: boolean
  /** The lines `text` was made of, in order. */
  evidence: Evidence[]
  /** How surely the words were read, 0..1 (1 for typed text). */
  reading: number
}

/** Why a person should look at a grade before it is published. */
export type ReviewReasonCode =
  | 'low_confidence'
  | 'poor_reading'
  | 'answer_not_found'
  | 'nothing_written'
  | 'evidence_missing'
  | 'hidden_text'
  | 'instructions_to_grader'
  | 'keyword_list'
  | 'copied_key'
  | 'small_class'
  | 'no_expected_answer'
  | 'grader_failed'
  /** The kind of answer cannot be judged by this grader: a drawing, a proof, an essay. */
  | 'cannot_judge'
  /** Two readings or two graders do not agree. */
  | 'graders_differ'
  /** Points a teacher gave were for a criterion that is worth another number of points now. */
  | 'points_changed'
  /** The page shows other words than the file's text says. */
  | 'text_differs_from_page'
  /** The pages may not be in the order they belong in. */
  | 'page_order'

/** A reason in words for the teacher, with the place it concerns where there is one. */
export interface ReviewReason {
  code: ReviewReasonCode
  message: string
  question_id?: string
  evidence?: Evidence[]
}

/** A submission extracted against the rubric: one answer per question, in the rubric's order. */
export interface ExtractedSubmission {
  answers: Answer[]
  /** What was odd about the paper itself: hidden text, instructions to the grader, nothing written. */
  warnings: ReviewReason[]
  /** The order pages were put in, by their numbers in the file. Absent: as they come. */
  page_order?: number[]
  /** A name read on the paper, which only helps matching. */
  name_on_paper: string | null
}

/** The grader's suggestion for one criterion; `score` and `max_score` are points. */
export interface SuggestedCriterion {
  criterion_id: string
  question_id: string
  criterion_text: string
  score: number
  max_score: number
  level: 'excellent' | 'good' | 'partial' | 'minimal' | 'none'
  /** To the student. */
  feedback: string
  /** 0..1: one less the expected error as a share of the points. */
  confidence: number
  evidence: Evidence[]
  /** Who judged it, where a grader leaves some criteria to another: rules cost nothing where they are sure. */
  judged_by?: 'model' | 'rules'
  /** To the teacher, in a sentence: why so many points. */
  reasoning?: string
}

/** The grader's suggestion for one submission; `overall_score` is percent 0..100, one decimal. */
export interface SuggestedGrade {
  overall_score: number
  criteria: SuggestedCriterion[]
  confidence: number
  summary: string
  needs_review: boolean
  reasons: ReviewReason[]
  /** The calls in the ledger it rests on, in order; the audit's way to the raw answers. Absent where no model was asked. */
  call_ids?: number[]
  /** Of the words around the student's, where a model was asked. */
  prompt_version?: string
  /** sha256 (hex) of all that was sent, pictures included. */
  input_hash?: string
}

/** Everyone's extracted answers for an assignment: what the offline grader compares with. */
export interface ClassAnswers {
  /** Changes whenever the answers do; graders may keep what they worked out under it. */
  key: string
  submissions: { id: number; extracted: ExtractedSubmission }[]
}

/** What a teacher decided on one criterion of one paper, in points: the measure for the others. */
export interface Anchor {
  submission_id: number
  criterion_id: string
  score: number
  /** Suggested by the AI and approved with the rest of the paper: a measure for others, and no decision on this very answer. */
  approved?: true
}

/** A page as whoever reads it sees it, upright. */
export interface Picture {
  bytes: Uint8Array
  media_type: 'image/png' | 'image/jpeg'
  /** The page's size in PDF points as shown, by which boxes are found in the picture. */
  points?: { width: number; height: number }
}

/** What would tell whose a paper is; `known`: a student has been found for it. */
export interface IdentifyingWords {
  words: string[]
  known: boolean
}

/** What a grader may use beside the rubric and the answers. All of it may be left out. */
export interface GradeContext {
  signal?: AbortSignal
  /** The teacher's own decisions in this assignment, other papers' and this one's. */
  anchors?: Anchor[]
  /** What was suggested before for criteria that the teacher decided on this paper: who must pay for an answer need not ask again. */
  previousCriteria?: SuggestedCriterion[]
  /** Only these questions, by id; the others keep what they have. */
  only?: ReadonlySet<string>
  /** A page of the submission, for graders that can look at it. `page` counts from 1. */
  pagePicture?: (page: number) => Promise<Picture>
  /** What would tell who the student is: name, username, e-mail, numbers. Never leaves this machine. */
  private_words?: string[]
  /** The same of another paper's student, null where there is no such paper. Without it no other paper's words are shown to anyone. */
  private_words_of?: (submissionId: number) => Promise<IdentifyingWords | null>
  /** Everybody else of the course: whoever writes of them does not name them to a model. */
  others?: NameBook
}

/** The AI behind one interface. It suggests; the teacher decides. */
export interface Grader {
  /** Kept with every grade, for the audit. */
  readonly name: string
  readonly version: string
  /** Questions, points and expected answers from the blank and the key. */
  makeRubric(blank: Paper, key: Paper, signal?: AbortSignal): Promise<Rubric>
  /** Finds each question's answer in a student's paper. */
  extractAnswers(rubric: Rubric, blank: Paper, submission: Paper): Promise<ExtractedSubmission>
  /** Suggests a grade for the submission `id`, which must be among the class. */
  grade(rubric: Rubric, id: number, everyone: ClassAnswers, context?: GradeContext): Promise<SuggestedGrade>
  close(): Promise<void>
}
