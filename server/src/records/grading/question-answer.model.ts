import type { AnswerState } from '@assay/shared/questions.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** An answer of a graded paper, projected from its grade (`answer-projection.ts`), so that no paper need be opened. */
export interface QuestionAnswerDoc {
  /** `submission/question`. */
  _id: string
  assignment_id: number
  question_id: string
  submission_id: number
  student_id: number | null
  /** The grade it is projected from. */
  grade_id: number
  grade_revision: number
  state: AnswerState
  text: string
  /** The grader's: points and 0..1. Without a `score`, it gave none. */
  criteria: { id: string; score: number | null; max: number; confidence: number }[]
  flagged: boolean
  /** Flagged only because the paper's total is in doubt. Absent: no, or an older projection. */
  total_in_doubt?: boolean
  /** People's points; null without any. */
  decided: Record<string, number> | null
  decided_by: number | null
  /** People gave points for each criterion. */
  complete: boolean
  /** Points typed beyond those of its rubric items. Absent in older projections: none. */
  item_ids?: number[]
  adjustments?: Record<string, number>
  /** Set by a teacher, and left alone by the projection. */
  manual_group?: string | null
}

const answerSchema = defineSchema<QuestionAnswerDoc>(
  {
    _id: String,
    assignment_id: { type: Number, required: true },
    question_id: { type: String, required: true },
    submission_id: { type: Number, required: true },
    student_id: { type: Number, default: null },
    grade_id: { type: Number, required: true },
    grade_revision: { type: Number, required: true },
    state: { type: String, required: true },
    text: { type: String, default: '' },
    criteria: { type: Mixed, required: true },
    flagged: { type: Boolean, required: true },
    total_in_doubt: Boolean,
    decided: { type: Mixed, default: null },
    decided_by: { type: Number, default: null },
    complete: { type: Boolean, required: true },
    item_ids: { type: [Number], default: undefined },
    adjustments: Mixed,
    manual_group: String,
  },
  { minimize: false },
)
answerSchema.index({ assignment_id: 1, question_id: 1, submission_id: 1 })
answerSchema.index({ submission_id: 1 })
answerSchema.index({ item_ids: 1 }, { sparse: true })
export const QuestionAnswerModel = defineModel('QuestionAnswer', answerSchema, 'question_answers')

interface AnswerProjectionDoc {
  _id: number
  /** Papers changed before this moment are projected. */
  until: Date
  rubric_version: number
}

const projectionSchema = defineSchema<AnswerProjectionDoc>({
  _id: Number,
  until: { type: Date, required: true },
  rubric_version: { type: Number, required: true },
})
export const AnswerProjectionModel = defineModel('AnswerProjection', projectionSchema, 'answer_projections')
