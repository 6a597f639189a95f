import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { AdjustedScore } from '@assay/shared/rules/adjust-score.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** SHA-256 in hex: the PDF, the rubric's questions, the text read as answers. */
export interface InputHashes {
  paper: string
  rubric: string
  answers: string
}

/** Kept when a later suggestion replaces it. */
interface SuggestionProvenance {
  at: Date
  grader: { name: string; version: string }
  run_id: number
  rubric_version: number
  class_key: string
  inputs: InputHashes
  overall_score: number | null
  confidence: number
  reasons: ReviewReason[]
  /** With an LLM: the calls, the prompt's version, and a hash of the input. */
  call_ids?: number[]
  prompt_version?: string
  input_hash?: string
}

/** Under the grade's id. Stored before the grade refers to it, never changed, kept when a later one replaces it. */
export interface GradeDetailsDoc {
  _id: number
  submission_id: number
  criteria: CriterionGrade[]
  /** Absent in older grades. */
  made?: SuggestionProvenance
}

const detailsSchema = defineSchema<GradeDetailsDoc>({
  _id: Number,
  submission_id: { type: Number, required: true },
  criteria: { type: Mixed, required: true },
  made: { type: Mixed },
})
detailsSchema.index({ submission_id: 1 })
export const GradeDetailsModel = defineModel('GradeDetails', detailsSchema, 'grade_details')

/** Older releases lack evidence, or fields that course statistics need. */
export type ReleasedCriterion = Pick<CriterionGrade, 'id' | 'criterion_text' | 'score' | 'max_score' | 'llm_feedback'> &
  Partial<Pick<CriterionGrade, 'bonus' | 'evidence' | 'criterion_id' | 'question_id' | 'llm_performance_level'>> & {
    /** The rubric items' words in order. Absent: none. */
    item_feedback?: string[]
    teacher_feedback?: string
    /** Absent: the AI. */
    score_by?: 'teacher'
  }

/** A copy made at release, which later changes do not touch. */
export interface ReleaseDoc {
  _id: number
  /** Of the grade it is a copy of. */
  revision: number
  assignment_id: number
  student_id: number | null
  /** That count; null while answers are still to be graded by hand. */
  points: Points | null
  /** Absent or null: it is the score as graded. */
  adjusted?: AdjustedScore | null
  /** Of the assignment's score rules. Absent: 0. */
  rules_version?: number
  /** The points of these answers. Absent: none. */
  unscored_points?: number
  feedback: string
  feedback_by: 'ai' | 'teacher'
  reviewed_by_teacher: boolean
  criteria: ReleasedCriterion[]
  released_at: Date
}

const releaseSchema = defineSchema<ReleaseDoc>({
  _id: Number,
  revision: { type: Number, required: true },
  assignment_id: { type: Number, required: true },
  student_id: { type: Number, default: null },
  points: { type: Mixed, default: null },
  adjusted: Mixed,
  rules_version: Number,
  unscored_points: Number,
  feedback: { type: String, default: '' },
  feedback_by: { type: String, required: true },
  reviewed_by_teacher: { type: Boolean, required: true },
  criteria: { type: Mixed, required: true },
  released_at: { type: Date, required: true },
})
releaseSchema.index({ student_id: 1, assignment_id: 1 })
releaseSchema.index({ assignment_id: 1 })
export const ReleaseModel = defineModel('Release', releaseSchema, 'releases')
