import type { AnswerState } from '@assay/shared/questions.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Projected from the grade (`answer-projection.ts`), so that no paper need be opened. */
const answerSchema = schemaOf(
  {
    _id: field.id(String),
    assignment_id: field.required(Number),
    question_id: field.required(String),
    submission_id: field.required(Number),
    student_id: field.nullable(Number),
    grade_id: field.required(Number),
    grade_revision: field.required(Number),
    state: field.required<AnswerState>(String),
    text: field.withDefault(String, ''),
    /** Points and 0..1. Without `score` the grader gave none. */
    criteria: field.required<{ id: string; score: number | null; max: number; confidence: number }[]>(Mixed),
    flagged: field.required(Boolean),
    /** Flagged only because the paper's total is in doubt. */
    total_in_doubt: field.optional(Boolean),
    decided: field.nullable<Record<string, number>>(Mixed),
    decided_by: field.nullable(Number),
    /** People gave points for each criterion. */
    complete: field.required(Boolean),
    /** `adjustments`: points typed beyond those of its rubric items. */
    item_ids: field.optional<number[]>([Number], undefined),
    adjustments: field.optional<Record<string, number>>(Mixed),
    /** Set by a teacher; the projection keeps it. */
    manual_group: field.optional<string | null>(String),
  },
  { minimize: false },
)
export type QuestionAnswerDoc = DocOf<typeof answerSchema>
answerSchema.index({ assignment_id: 1, question_id: 1, submission_id: 1 })
answerSchema.index({ submission_id: 1 })
answerSchema.index({ item_ids: 1 }, { sparse: true })
export const QuestionAnswerModel = defineModel('QuestionAnswer', answerSchema, 'question_answers')

const projectionSchema = schemaOf({
  _id: field.id(Number),
  /** Papers changed earlier are projected. */
  until: field.required(Date),
  rubric_version: field.required(Number),
})
export const AnswerProjectionModel = defineModel('AnswerProjection', projectionSchema, 'answer_projections')
