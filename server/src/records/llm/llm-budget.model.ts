import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** In US dollars. */
const llmBudgetSchema = schemaOf({
  /** `2026-11/system`, `2026-11/system/course/7` (a course's share of it), `2026-11/course/7` (its own key). */
  _id: field.id(String),
  /** Of calls that have ended. */
  spent: field.withDefault(Number, 0),
  /** Includes what is reserved for calls under way: what a budget is compared with. */
  committed: field.withDefault(Number, 0),
})
export const LlmBudgetModel = defineModel('LlmBudget', llmBudgetSchema, 'llm_budgets')
