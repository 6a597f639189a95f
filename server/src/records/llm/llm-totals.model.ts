import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'
import type { LlmCallDoc } from './llm-call.model.ts'

/** Per month, payer, course, assignment, run and purpose. Kept when papers are deleted. */
const llmTotalsSchema = schemaOf({
  _id: field.id(String),
  month: field.required(String),
  payer: field.required<LlmCallDoc['payer']>(String),
  course_id: field.nullable(Number),
  assignment_id: field.nullable(Number),
  run_id: field.nullable(Number),
  purpose: field.required(String),
  calls: field.withDefault(Number, 0),
  failures: field.withDefault(Number, 0),
  input_tokens: field.withDefault(Number, 0),
  output_tokens: field.withDefault(Number, 0),
  /** US dollars, of calls with a price. */
  dollars: field.withDefault(Number, 0),
  /** Calls with tokens but without a price. */
  unpriced: field.withDefault(Number, 0),
  /** Calls abandoned while the LLM was responding, booked with the most they may have cost. */
  estimated: field.optional(Number, 0),
  additions: field.optional(Number),
})
export type LlmTotalsDoc = DocOf<typeof llmTotalsSchema>
llmTotalsSchema.index({ month: 1, payer: 1 })
llmTotalsSchema.index({ course_id: 1, month: 1 })
llmTotalsSchema.index({ assignment_id: 1 })
llmTotalsSchema.index({ run_id: 1 })
export const LlmTotalsModel = defineModel('LlmTotals', llmTotalsSchema, 'llm_totals')

/** US dollars. */
const llmBudgetSchema = schemaOf({
  /** `2026-11/system`, `2026-11/system/course/7` (a course's share), `2026-11/course/7` (its own key). */
  _id: field.id(String),
  spent: field.withDefault(Number, 0),
  /** With what is reserved for calls under way; budgets compare this. */
  committed: field.withDefault(Number, 0),
})
export const LlmBudgetModel = defineModel('LlmBudget', llmBudgetSchema, 'llm_budgets')
