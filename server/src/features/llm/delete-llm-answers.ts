import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'

/**
 * Deletes LLM responses about deleted submissions or assignments, and the hashes of what was sent: those would confirm a
 * guessed text. Costs stay, as the month's totals and the budgets need them. Returns how many responses.
 */
export async function deleteLlmAnswers(subject: 'submission_id' | 'assignment_id', ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  const filter = { [subject]: { $in: ids } }
  await LlmCallModel.updateMany(filter, { $set: { inputs: [] } })
  return (await LlmAnswerModel.deleteMany(filter)).deletedCount
}
