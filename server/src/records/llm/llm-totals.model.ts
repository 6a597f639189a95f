import { defineModel, defineSchema } from '../../lib/database/define-model.ts'
import type { LlmCallDoc } from './llm-call.model.ts'

/** One document per month, payer, course, assignment, run and purpose. Kept when papers are deleted. */
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
  /** US dollars, of calls with a price. */
  dollars: number
  /** Calls with tokens but without a price. */
  unpriced: number
  /** Calls abandoned while the LLM was responding, booked with the most they may have cost. */
  estimated?: number
  /** Incremented with each added call. */
  additions?: number
}

const count = { type: Number, default: 0 }
const idOrNull = { type: Number, default: null }
const llmTotalsSchema = defineSchema<LlmTotalsDoc>({
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
  additions: Number,
})
llmTotalsSchema.index({ month: 1, payer: 1 })
llmTotalsSchema.index({ course_id: 1, month: 1 })
llmTotalsSchema.index({ assignment_id: 1 })
llmTotalsSchema.index({ run_id: 1 })
export const LlmTotalsModel = defineModel('LlmTotals', llmTotalsSchema, 'llm_totals')
