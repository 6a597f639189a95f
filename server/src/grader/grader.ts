import type { CriterionGrade, UnscoredReason } from '@assay/shared/grades.ts'
import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { PaperVersion, Rubric } from '@assay/shared/rubrics.ts'
import type { SheetFlag } from '@assay/shared/transcriptions.ts'
import type { NameBook } from './anonymizer/name-book.ts'

/** What one student wrote for one question. */
export interface Answer {
  question_id: string
  /** The student's words only, without the blank's printed text. Empty when nothing was written. */
  text: string
  /** False when the question was not found on the paper. */
  found: boolean
  /** The lines `text` was made of, in order. */
  evidence: Evidence[]
  /** Reading confidence, 0..1 (1 for typed text). */
  reading: number
  /** How sure OCR is of each word, in order, 0..1. Absent where none was read by OCR. */
  word_confidences?: number[]
  /** Something is written that could not be read: `text` is at best a hint, and nothing is to be graded by it. */
  unreadable?: true
  /** Read from an answer sheet: how far the filled circle stands out from the next, 0..1, or why none was read. */
  sheet?: {
    separation: number
    flag: SheetFlag | null
    /** Of the paper, where one is filled in: `text` is in version A's letters, and the evidence quotes the circle. */
    version?: PaperVersion
    /** Of a version but A: its right option, and that of A, which it is graded as. */
    letters?: { right: string; right_in_a: string }
  }
  /** An LLM has looked at the page and read it, or seen that nothing is there. */
  seen?: true
}

/** What is known of an answer. Only what was `read` or is `empty` can be graded without looking at the page. */
export type AnswerState = 'read' | 'empty' | 'not_found' | 'unreadable'

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
  /** A paper, or a page of it, prints other questions than the blank. */
  | 'other_assignment'
  /** A file has the names of two students. */
  | 'two_students'
  /** A paper may name another student than it was handed in for. */
  | 'other_name'
  /** What else is the matter with a paper's pages; see `features/paper-problems`. */
  | 'damaged_page'
  | 'missing_page'
  | 'extra_page'
  | 'repeated_page'

/** A reason as a sentence for the teacher, with its place where there is one. */
export interface ReviewReason {
  code: ReviewReasonCode
  message: string
  question_id?: string
  /** Where it may be about several questions. */
  question_ids?: string[]
  evidence?: Evidence[]
}

/** Words on a paper that may tell whose it is: in a field for name, number or address, or at a page's top or foot. */
export interface OwnerHint {
  kind: 'name' | 'number' | 'email' | 'unlabelled'
  text: string
  /** From 1. */
  page: number
  /** Read from a picture: letters may be wrong. */
  ocr: boolean
  /** Figures may be missing, at most so many: they were to be filled in one by one, and some were not. */
  missing?: number
}

/** What a page of a paper (from 1) is, seen beside the blank. */
export interface PageFacts {
  page: number
  /** The pages of the blank whose print it shows. */
  blank_pages: number[]
  /** It has little of their print: a student's own sheet that repeats a title or some questions. */
  own_sheet?: true
  /** Nothing was found on it: the back of a sheet, or damaged. */
  empty?: true
  /** A picture on it cannot be opened. */
  damaged?: true
  /** An earlier page that is the same page of the blank or, on a student's own sheets, the same sheet. */
  repeats?: number
  /** An answer was found there. */
  answered?: true
  /** Whether what is written there is the same too. Only with `repeats`. */
  same?: boolean
}

/** A submission's answers, one per question, in the rubric's order. */
export interface ExtractedSubmission {
  answers: Answer[]
  /** Problems of the paper itself: hidden text, instructions to the grader, nothing written. */
  warnings: ReviewReason[]
  /** The pages in the order they were read in, by their numbers in the file, answer sheets left out. Absent: all of them, as they come. */
  page_order?: number[]
  /** By the pages' numbers in the file. Absent in what an earlier version extracted. */
  pages?: { of_paper: PageFacts[]; of_blank: number[] }
  /** A name read on the paper, which only helps matching. */
  name_on_paper: string | null
  /** Absent where no matching is to be done by them. */
  owner_hints?: OwnerHint[]
}

/** The grader's suggestion for one criterion; `score` and `max_score` are points. Without a score there are no level and no feedback. */
export interface SuggestedCriterion {
  criterion_id: string
  question_id: string
  criterion_text: string
  score: number | null
  /** Why there is no score. Absent: there is one. */
  unscored_reason?: UnscoredReason
  max_score: number
  level: 'excellent' | 'good' | 'partial' | 'minimal' | 'none' | null
  /** To the student. */
  feedback: string
  /** 0..1: one less the expected error as a share of the points. */
  confidence: number
  evidence: Evidence[]
  /** Who judged it, in a grade by an LLM: rules cost nothing where they are sure. */
  judged_by?: 'model' | 'rules'
  /** To the teacher, in a sentence: why so many points. */
  reasoning?: string
  /** What the grader suggested itself, where a person's points for the same answer are suggested instead. */
  own_suggestion?: CriterionGrade['own_suggestion']
}

/** The grader's suggestion for one submission; `overall_score` is percent 0..100, one decimal, of the criteria that have a score. */
export interface SuggestedGrade {
  /** Null when none has. */
  overall_score: number | null
  criteria: SuggestedCriterion[]
  confidence: number
  summary: string
  needs_review: boolean
  reasons: ReviewReason[]
  /** Its calls in the ledger, in order: the audit's way to the raw responses. Absent without an LLM. */
  call_ids?: number[]
  /** Of the LLM's prompt. Absent without an LLM. */
  prompt_version?: string
  /** sha256 (hex) of all that was sent, pictures included. */
  input_hash?: string
}

/** All extracted answers of an assignment: what the offline grader compares with. */
export interface ClassAnswers {
  /** Changes whenever the answers do; graders may cache by it. */
  key: string
  submissions: { id: number; extracted: ExtractedSubmission }[]
}

/** A teacher's points for one criterion of one paper, which calibrate the others. */
export interface Anchor {
  submission_id: number
  criterion_id: string
  score: number
  /** Suggested by the AI and approved with the paper: calibrates others, but is no decision on this answer. */
  approved?: true
}

/** A page as a reader sees it, upright. */
export interface Picture {
  bytes: Uint8Array
  media_type: 'image/png' | 'image/jpeg'
  /** The page's size in PDF points, to locate boxes in the picture. */
  points?: { width: number; height: number }
}

/** Words that identify a paper's student; `known`: the paper is matched to a student. */
export interface IdentifyingWords {
  words: string[]
  known: boolean
}

/** What a grader may use beside the rubric and the answers. All of it may be left out. */
export interface GradeContext {
  signal?: AbortSignal
  /** The teacher's own decisions in this assignment, other papers' and this one's. */
  anchors?: Anchor[]
  /** Earlier suggestions for criteria the teacher decided on this paper, so that they need not be paid for again. */
  previousCriteria?: SuggestedCriterion[]
  /** Only these questions, by id. */
  only?: ReadonlySet<string>
  /** A page of the submission, for graders that can look at it. `page` counts from 1. */
  pagePicture?: (page: number) => Promise<Picture>
  /** What identifies the student: name, username, e-mail, numbers. Never sent anywhere. */
  private_words?: string[]
  /** The same for another paper's student; null if there is no such paper. Without it no other paper is used as an example. */
  private_words_of?: (submissionId: number) => Promise<IdentifyingWords | null>
  /** Everybody else on the course: their names are masked too. */
  others?: NameBook
}

/** Points by paper, then criterion; null without a score. */
export type ScoresByPaper = Map<number, Record<string, number | null>>

/** The AI behind one interface. It suggests; the teacher decides. */
export interface Grader {
  /** Stored with every grade, for the audit. */
  readonly name: string
  readonly version: string
  /** Questions, points and expected answers from the blank and the key. */
  generateRubric(blank: Paper, key: Paper, signal?: AbortSignal): Promise<Rubric>
  /** Finds each question's answer in a student's paper. */
  extractAnswers(rubric: Rubric, blank: Paper, submission: Paper): Promise<ExtractedSubmission>
  /**
   * The points of one question's criteria for many papers of the class, by paper, then criterion; null where it gives none. The same as
   * `grade` says, for a fraction of the work. Absent: it can only grade whole papers.
   */
  scoreQuestion?(
    rubric: Rubric,
    questionId: string,
    papers: ClassAnswers['submissions'],
    everyone: ClassAnswers,
    context?: Pick<GradeContext, 'signal' | 'anchors'>,
  ): Promise<ScoresByPaper>
  /** Suggests a grade for the submission `id`, which must be among the class. */
  grade(rubric: Rubric, id: number, everyone: ClassAnswers, context?: GradeContext): Promise<SuggestedGrade>
  close(): Promise<void>
}
