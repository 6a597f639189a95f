import type { RegradeState } from '@assay/shared/regrades.ts'
import mongoose from 'mongoose'

export interface RegradeDoc {
  _id: number
  assignment_id: number
  submission_id: number
  student_id: number
  state: RegradeState
  reason: string
  criterion: { id: number; text: string } | null
  /** The release it is about, as `<first criterion's id>/<revision>`: one request for each. */
  about: string
  asked_at: Date
  /** Percent. */
  score_when_asked: number
  answer: string | null
  answered_by: number | null
  answered_at: Date | null
  score_when_answered: number | null
}

const mixed = { type: mongoose.Schema.Types.Mixed, default: null }

const regradeSchema = new mongoose.Schema<RegradeDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    submission_id: { type: Number, required: true },
    student_id: { type: Number, required: true },
    state: { type: String, required: true },
    reason: { type: String, required: true },
    criterion: mixed,
    about: { type: String, required: true },
    asked_at: { type: Date, required: true },
    score_when_asked: { type: Number, required: true },
    answer: { type: String, default: null },
    answered_by: { type: Number, default: null },
    answered_at: { type: Date, default: null },
    score_when_answered: { type: Number, default: null },
  },
  { versionKey: false },
)
regradeSchema.index({ submission_id: 1, about: 1 }, { unique: true })
regradeSchema.index({ assignment_id: 1, state: 1 })

export const RegradeModel = mongoose.model('Regrade', regradeSchema, 'regrades')
