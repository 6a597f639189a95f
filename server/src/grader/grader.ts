import type { CriterionGrade, ReviewReason as StoredReason } from '@assay/shared/grades.ts'
import type { PaperProblemCode } from '@assay/shared/paper-problems.ts'
import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { AnswerCriterion } from '@assay/shared/questions.ts'
import type { PaperVersion, Rubric } from '@assay/shared/rubrics.ts'
import type { SheetFlag } from '@assay/shared/transcriptions.ts'
import type { NameBook } from './anonymizer/name-book.ts'

export interface Answer {
  question_id: string
  /** Without the blank's print. Empty when nothing was written. */
  text: string
  found: boolean
  evidence: Evidence[]
  /** 0..1 (1 for typed text). */
  reading: number
  /** 0..1, by word; absent where OCR read none. */
  word_confidences?: number[]
  /** `text` is at best a hint, and must not be graded. */
  unreadable?: true
  /** From an answer sheet: how far the filled circle stands out from the next, 0..1, or why none was read. */
  sheet?: {
    separation: number
    flag: SheetFlag | null
    /** `text` has version A's letters, the evidence quotes the filled circle. */
    version?: PaperVersion
    /** Of other versions: the right option, and version A's, as which it is graded. */
    letters?: { right: string; right_in_a: string }
  }
  /** An LLM has read the page, or seen that nothing is there. */
  seen?: true
}

/** Only `read` and `empty` can be graded without looking at the page. */
export type AnswerState = 'read' | 'empty' | 'not_found' | 'unreadable'

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
  | 'no_expected_answer'
  | 'grader_failed'
  /** A drawing, a proof, an essay. */
  | 'cannot_judge'
  | 'graders_differ'
  /** A teacher's points were for a criterion whose maximum has changed. */
  | 'points_changed'
  /** The page shows other words than the file's text says. */
  | 'text_differs_from_page'
  | 'page_order'
  | Exclude<PaperProblemCode, 'same_paper'>

export interface ReviewReason extends StoredReason {
  code: ReviewReasonCode
}

/** From a field for name, number or address, or a page's top or foot. */
export interface OwnerHint {
  kind: 'name' | 'number' | 'email' | 'unlabelled'
  text: string
  page: number // from 1
  ocr: boolean
  /** At most this many figures, to be filled in one by one, are missing. */
  missing?: number
}

/** `page` counts from 1. */
export interface PageFacts {
  page: number
  blank_pages: number[]
  /** Little of the blank's print: a student's own sheet that repeats a title or questions. */
  own_sheet?: true
  empty?: true
  damaged?: true
  /** An earlier page with the same page of the blank or, of own sheets, the same sheet. */
  repeats?: number
  answered?: true
  /** With `repeats`: the writing is the same too. */
  same?: boolean
}

/** One answer per question, in the rubric's order. */
export interface ExtractedSubmission {
  answers: Answer[]
  /** Of the paper itself: hidden text, instructions to the grader, nothing written. */
  warnings: ReviewReason[]
  /** Numbers in the file, without answer sheets. Absent: all pages as they come. */
  page_order?: number[]
  /** By numbers in the file. Absent in earlier versions' results. */
  pages?: { of_paper: PageFacts[]; of_blank: number[] }
  name_on_paper: string | null
  /** Absent where matching should not use them. */
  owner_hints?: OwnerHint[]
}

/**
 * Without a score there are no level and no feedback. `confidence`: one less the expected error as a share of points.
 */
export type SuggestedCriterion = AnswerCriterion &
  Pick<CriterionGrade, 'question_id' | 'criterion_text' | 'bonus' | 'evidence' | 'judged_by' | 'own_suggestion'>

/** `overall_score` is percent 0..100, one decimal, of the criteria that have a score. */
export interface SuggestedGrade {
  overall_score: number | null
  criteria: SuggestedCriterion[]
  confidence: number
  summary: string
  needs_review: boolean
  reasons: ReviewReason[]
  /** In the ledger, in order: how the audit finds raw responses. */
  call_ids?: number[]
  prompt_version?: string
  /** sha256 (hex) of all that was sent, pictures included. */
  input_hash?: string
}

export interface ClassAnswers {
  /** Changes whenever the answers do; graders may cache by it. */
  key: string
  submissions: { id: number; extracted: ExtractedSubmission }[]
}

export interface Anchor {
  submission_id: number
  criterion_id: string
  score: number
  /** Approved with the paper: calibrates others, but is no decision on this answer. */
  approved?: true
}

export interface Picture {
  bytes: Uint8Array
  media_type: 'image/png' | 'image/jpeg'
  /** In PDF points. */
  points?: { width: number; height: number }
}

/** `known`: the paper is matched to a student. */
export interface IdentifyingWords {
  words: string[]
  known: boolean
}

export interface GradeContext {
  signal?: AbortSignal
  anchors?: Anchor[]
  /** For criteria the teacher decided here, to avoid paying again. */
  previousCriteria?: SuggestedCriterion[]
  only?: ReadonlySet<string>
  /** `page` counts from 1. */
  pagePicture?: (page: number) => Promise<Picture>
  /** Name, username, e-mail, numbers. Never sent anywhere. */
  private_words?: string[]
  /** Null if there is no such paper. Without it no other paper is used as an example. */
  private_words_of?: (submissionId: number) => Promise<IdentifyingWords | null>
  others?: NameBook
}

/** By paper, then criterion; null without a score. */
export type ScoresByPaper = Map<number, Record<string, number | null>>

/** It suggests; the teacher decides. */
export interface Grader {
  /** Stored with every grade, for the audit. */
  readonly name: string
  readonly version: string
  generateRubric(blank: Paper, key: Paper, signal?: AbortSignal): Promise<Rubric>
  extractAnswers(rubric: Rubric, blank: Paper, submission: Paper): Promise<ExtractedSubmission>
  /** As `grade` would, at a fraction of the work; null where it gives no score. Absent: it grades only whole papers. */
  scoreQuestion?(
    rubric: Rubric,
    questionId: string,
    papers: ClassAnswers['submissions'],
    everyone: ClassAnswers,
    context?: Pick<GradeContext, 'signal' | 'anchors'>,
  ): Promise<ScoresByPaper>
  /** `id` must be among the class. */
  grade(rubric: Rubric, id: number, everyone: ClassAnswers, context?: GradeContext): Promise<SuggestedGrade>
  close(): Promise<void>
}
