import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { AdjustedScore } from '@assay/shared/rules/adjust-score.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** SHA-256 in hex: the PDF, the rubric's questions, the text read as answers. */
export interface InputHashes {
  paper: string
  rubric: string
  answers: string
}

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
  call_ids?: number[]
  prompt_version?: string
  input_hash?: string
}

const detailsSchema = schemaOf({
  _id: field.id(Number),
  submission_id: field.required(Number),
  criteria: field.required<CriterionGrade[]>(Mixed),
  /** Absent in older grades. */
  made: field.optional<SuggestionProvenance>(Mixed),
})
export type GradeDetailsDoc = DocOf<typeof detailsSchema>
detailsSchema.index({ submission_id: 1 })
export const GradeDetailsModel = defineModel('GradeDetails', detailsSchema, 'grade_details')

/** Older releases lack evidence, or fields for course statistics. */
export type ReleasedCriterion = Pick<CriterionGrade, 'id' | 'criterion_text' | 'score' | 'max_score' | 'llm_feedback'> &
  Partial<Pick<CriterionGrade, 'bonus' | 'evidence' | 'criterion_id' | 'question_id' | 'llm_performance_level'>> & {
    item_feedback?: string[]
    teacher_feedback?: string
    score_by?: 'teacher'
  }

export interface MemberScore {
  student_id: number
  points: Points
  adjusted: AdjustedScore | null
}

/** A copy made at release, which later changes do not touch. */
const releaseSchema = schemaOf({
  _id: field.id(Number),
  revision: field.required(Number),
  assignment_id: field.required(Number),
  student_id: field.nullable(Number),
  partner_ids: field.optional<number[]>([Number]),
  /** That count for single people of its group. Absent: the same for all. */
  member_scores: field.optional<MemberScore[]>(Mixed),
  /** That count; null while answers are still to be graded by hand. */
  points: field.nullable<Points>(Mixed),
  adjusted: field.optional<AdjustedScore | null>(Mixed),
  rules_version: field.optional(Number),
  unscored_points: field.optional(Number),
  feedback: field.withDefault(String, ''),
  feedback_by: field.required<'ai' | 'teacher'>(String),
  reviewed_by_teacher: field.required(Boolean),
  criteria: field.required<ReleasedCriterion[]>(Mixed),
  released_at: field.required(Date),
})
export type ReleaseDoc = DocOf<typeof releaseSchema>
releaseSchema.index({ student_id: 1, assignment_id: 1 })
releaseSchema.index({ partner_ids: 1, assignment_id: 1 }, { sparse: true })
releaseSchema.index({ assignment_id: 1 })
export const ReleaseModel = defineModel('Release', releaseSchema, 'releases')
