import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** A grade as it was when it was to be approved. */
export interface ApprovedGrade {
  submission_id: number
  grade_id: number
  revision: number
  /** Of an earlier review, voided by grading again. Null: none. */
  reviewed_by: number | null
  /** Hidden from students although the assignment was published. */
  withheld: boolean
}

/** Suggested grades approved at once; stored before any is changed, so that a restart completes it after a crash. */
export interface GradeApprovalDoc {
  _id: number
  assignment_id: number
  actor_id: number
  actor_role: string
  session_id: string
  state: 'applying' | 'applied' | 'undoing' | 'undone'
  /** Applied or undone now: one at a time for an assignment. */
  under_way?: true
  at: Date
  /** Absent: it was not undone. */
  undo?: { at: Date; session_id: string }
  grades: ApprovedGrade[]
  /** Sure when the person was told, but changed when they agreed. */
  gone: number
  done: number
  approved: number
  undone: number
}

const approvalSchema = defineSchema<GradeApprovalDoc>({
  _id: Number,
  assignment_id: { type: Number, required: true },
  actor_id: { type: Number, required: true },
  actor_role: { type: String, required: true },
  session_id: { type: String, required: true },
  state: { type: String, required: true },
  under_way: Boolean,
  at: { type: Date, required: true },
  undo: Mixed,
  grades: { type: Mixed, required: true },
  gone: { type: Number, default: 0 },
  done: { type: Number, default: 0 },
  approved: { type: Number, default: 0 },
  undone: { type: Number, default: 0 },
})
approvalSchema.index({ assignment_id: 1, actor_id: 1, _id: -1 })
approvalSchema.index({ assignment_id: 1, under_way: 1 }, { unique: true, partialFilterExpression: { under_way: true } })
export const GradeApprovalModel = defineModel('GradeApproval', approvalSchema, 'grade_approvals')
