import type { RegradeState } from '@assay/shared/regrades.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

/** A person's points by criterion. */
export interface AnswerUnderWay {
  answer: string
  at: Date
  actor: { id: number; role: string; session_id: string }
  change: { question_id: string; before: PointsByCriterion | null; after: PointsByCriterion } | null
  process?: string
}

const regradeSchema = schemaOf(
  {
    _id: field.id(Number),
    assignment_id: field.required(Number),
    submission_id: field.required(Number),
    student_id: field.required(Number),
    state: field.required<RegradeState>(String),
    reason: field.required(String),
    criterion: field.nullable<{ id: number; text: string; criterion_id?: string }>(Mixed),
    question: field.optional<{ id: string; number: string } | null>(Mixed, null),
    /** The criterion's. Absent in older requests. */
    points: field.optional<{ when_asked: number | null; when_answered: number | null; of: number } | null>(Mixed, null),
    /** `<first criterion's id>/<revision>` of the release: one request for each. */
    about: field.required(String),
    asked_at: field.required(Date),
    /** Percent. */
    score_when_asked: field.required(Number),
    answer: field.nullable(String),
    answered_by: field.nullable(Number),
    answered_at: field.nullable(Date),
    score_when_answered: field.nullable(Number),
    /** Stored before the points change, so that a restart completes both. */
    answering: field.optional<AnswerUnderWay>(Mixed),
  },
  { minimize: false },
)
export type RegradeDoc = DocOf<typeof regradeSchema>
regradeSchema.index({ submission_id: 1, about: 1 }, { unique: true })
regradeSchema.index({ assignment_id: 1, state: 1 })
regradeSchema.index({ assignment_id: 1, answered_at: -1 })
regradeSchema.index({ 'answering.at': 1 }, { sparse: true })
export const RegradeModel = defineModel('Regrade', regradeSchema, 'regrades')
