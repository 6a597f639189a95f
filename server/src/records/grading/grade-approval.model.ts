import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface ApprovedGrade {
  submission_id: number
  grade_id: number
  revision: number
  /** Of an earlier review, voided by grading again. */
  reviewed_by: number | null
  /** Hidden from students although the assignment was published. */
  withheld: boolean
  /** Where its flag was approved with it. */
  flagged?: { reviewed_at: Date | null }
}

/** Stored before any grade is changed, so that a restart completes it. */
const approvalSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  actor_id: field.required(Number),
  actor_role: field.required(String),
  session_id: field.required(String),
  state: field.required<'applying' | 'applied' | 'undoing' | 'undone'>(String),
  /** One at a time for an assignment. */
  under_way: field.optional<true>(Boolean),
  at: field.required(Date),
  undo: field.optional<{ at: Date; session_id: string }>(Mixed),
  grades: field.required<ApprovedGrade[]>(Mixed),
  /** By a person; absent: all that were sure were approved. */
  chosen: field.optional<true>(Boolean),
  /** Changed between the person's looking and agreeing. */
  gone: field.withDefault(Number, 0),
  /** Chosen, but reviewed before or not complete. */
  unfit: field.optional(Number),
  done: field.withDefault(Number, 0),
  approved: field.withDefault(Number, 0),
  undone: field.withDefault(Number, 0),
})
export type GradeApprovalDoc = DocOf<typeof approvalSchema>
approvalSchema.index({ assignment_id: 1, actor_id: 1, _id: -1 })
approvalSchema.index({ assignment_id: 1, under_way: 1 }, { unique: true, partialFilterExpression: { under_way: true } })
export const GradeApprovalModel = defineModel('GradeApproval', approvalSchema, 'grade_approvals')
