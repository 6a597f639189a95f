import type { Agreement } from '@assay/shared/accuracy-checks.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

/** `points` are a person's; null while open or skipped. */
export interface SampledAnswer {
  submission_id: number
  question_id: string
  points: PointsByCriterion | null
  skipped: boolean
}

/** A sample of answers that a teacher marks without seeing suggestions. The latest counts. */
export interface AccuracyCheckDoc {
  _id: number
  assignment_id: number
  started_by: number
  started_at: Date
  finished_at: Date | null
  answers: SampledAnswer[]
  /** When the last answer was marked; `suggested` in points by the answer's place. Absent: no result. */
  first_result?: { all: Agreement; suggested: Record<string, number> }
  /** What papers were last flagged by, in percent points. Absent: none, or taken back. */
  budget?: { limit: number }
}

const checkSchema = defineSchema<AccuracyCheckDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    started_by: { type: Number, required: true },
    started_at: { type: Date, required: true },
    finished_at: { type: Date, default: null },
    answers: { type: Mixed, required: true },
    first_result: { type: Mixed },
    budget: { type: Mixed },
  },
  { minimize: false },
)
checkSchema.index({ assignment_id: 1, _id: -1 })
export const AccuracyCheckModel = defineModel('AccuracyCheck', checkSchema, 'accuracy_checks')
