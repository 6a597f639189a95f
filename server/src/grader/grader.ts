import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'

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

/** A reason in words for the teacher, with the place it concerns where there is one. */
export interface ReviewReason {
  code: ReviewReasonCode
  message: string
  question_id?: string
  evidence?: Evidence[]
}

/** A submission laid against the rubric: one answer per question, in the rubric's order. */
export interface LaidSubmission {
  answers: Answer[]
  /** What was odd about the paper itself: hidden text, instructions to the grader, nothing written. */
  warnings: ReviewReason[]
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
}

/** The grader's suggestion for one submission; `overall_score` is percent 0..100, one decimal. */
export interface SuggestedGrade {
  overall_score: number
  criteria: SuggestedCriterion[]
  confidence: number
  summary: string
  needs_review: boolean
  reasons: ReviewReason[]
}

/** Everyone's laid answers for an assignment: what the offline grader compares with. */
export interface ClassAnswers {
  /** Changes whenever the answers do; graders may keep what they worked out under it. */
  key: string
  submissions: { id: number; laid: LaidSubmission }[]
}

/** The AI behind one interface. It suggests; the teacher decides. */
export interface Grader {
  /** Kept with every grade, for the audit. */
  readonly name: string
  readonly version: string
  /** Questions, points and expected answers from the blank and the key. */
  makeRubric(blank: Paper, key: Paper): Promise<Rubric>
  /** Finds each question's answer in a student's paper. */
  layOut(rubric: Rubric, blank: Paper, submission: Paper): Promise<LaidSubmission>
  /** Suggests a grade for the submission `id`, which must be among the class. */
  grade(rubric: Rubric, id: number, everyone: ClassAnswers, signal?: AbortSignal): Promise<SuggestedGrade>
  close(): Promise<void>
}
