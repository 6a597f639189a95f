import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** In US dollars. */
interface LlmBudgetDoc {
  /** `2026-11/system`, `2026-11/system/course/7` (a course's share of it), `2026-11/course/7` (its own key). */
  _id: string
  /** Of calls that have ended. */
  spent: number
  /** Includes what is reserved for calls under way: what a budget is compared with. */
  committed: number
}

const llmBudgetSchema = defineSchema<LlmBudgetDoc>({
  _id: String,
  spent: { type: Number, default: 0 },
  committed: { type: Number, default: 0 },
})
export const LlmBudgetModel = defineModel('LlmBudget', llmBudgetSchema, 'llm_budgets')
