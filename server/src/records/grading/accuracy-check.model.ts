import type { Agreement } from '@assay/shared/accuracy-checks.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

/** `points` are a person's; null while open or skipped. */
export interface SampledAnswer {
  submission_id: number
  question_id: string
  points: PointsByCriterion | null
  skipped: boolean
}

const checkSchema = schemaOf(
  {
    _id: field.id(Number),
    assignment_id: field.required(Number),
    started_by: field.required(Number),
    started_at: field.required(Date),
    finished_at: field.nullable(Date),
    answers: field.required<SampledAnswer[]>(Mixed),
    /** `suggested`: points by the answer's place. */
    first_result: field.optional<{ all: Agreement; suggested: Record<string, number> }>(Mixed),
    /** In percent points. Absent: no papers are flagged by it. */
    budget: field.optional<{ limit: number }>(Mixed),
  },
  { minimize: false },
)
export type AccuracyCheckDoc = DocOf<typeof checkSchema>
checkSchema.index({ assignment_id: 1, _id: -1 })
export const AccuracyCheckModel = defineModel('AccuracyCheck', checkSchema, 'accuracy_checks')
