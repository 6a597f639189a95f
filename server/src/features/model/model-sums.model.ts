import mongoose from 'mongoose'
import type { Purpose } from '../../grader/model/ask.ts'
import type { ModelCallDoc } from './model-call.model.ts'

/** What calls of one kind came to: one document a month, payer, course, assignment, run and purpose. They stay when papers are deleted. */
export interface ModelSumsDoc {
  _id: string
  month: string
  payer: ModelCallDoc['payer']
  course_id: number | null
  assignment_id: number | null
  run_id: number | null
  purpose: Purpose
  calls: number
  failures: number
  input_tokens: number
  output_tokens: number
  /** US dollars, of those that had a price. */
  dollars: number
  /** Those with tokens that nobody had put a price on. */
  unpriced: number
  /** Those given up while the model was at work, booked with the most they may have cost. Absent in sums from before this was kept. */
  estimated?: number
}

const count = { type: Number, default: 0 }
const idOrNull = { type: Number, default: null }
const modelSumsSchema = new mongoose.Schema<ModelSumsDoc>(
  {
    _id: String,
    month: { type: String, required: true },
    payer: { type: String, required: true },
    course_id: idOrNull,
    assignment_id: idOrNull,
    run_id: idOrNull,
    purpose: { type: String, required: true },
    calls: count,
    failures: count,
    input_tokens: count,
    output_tokens: count,
    dollars: count,
    unpriced: count,
    estimated: count,
  },
  { versionKey: false },
)
modelSumsSchema.index({ month: 1, payer: 1 })
modelSumsSchema.index({ course_id: 1, month: 1 })
modelSumsSchema.index({ assignment_id: 1 })
modelSumsSchema.index({ run_id: 1 })
export const ModelSumsModel = mongoose.model('ModelSums', modelSumsSchema, 'model_sums')
