import mongoose from 'mongoose'
import type { LlmCallDoc } from './llm-call.model.ts'

/** What calls of one kind came to: one document a month, payer, course, assignment, run and purpose. They stay when papers are deleted. */
export interface LlmTotalsDoc {
  _id: string
  month: string
  payer: LlmCallDoc['payer']
  course_id: number | null
  assignment_id: number | null
  run_id: number | null
  purpose: string
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
const llmTotalsSchema = new mongoose.Schema<LlmTotalsDoc>(
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
llmTotalsSchema.index({ month: 1, payer: 1 })
llmTotalsSchema.index({ course_id: 1, month: 1 })
llmTotalsSchema.index({ assignment_id: 1 })
llmTotalsSchema.index({ run_id: 1 })
export const LlmTotalsModel = mongoose.model('ModelSums', llmTotalsSchema, 'model_sums')
