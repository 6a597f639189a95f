import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'

/**
 * Deletes what LLMs answered about deleted submissions or assignments, and the hashes of what they were sent: those would confirm a
 * guessed text. What was paid stays, as the month's totals and the budgets need it. Returns how many answers.
 */
export async function deleteLlmAnswers(subject: 'submission_id' | 'assignment_id', ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  const filter = { [subject]: { $in: ids } }
  await LlmCallModel.updateMany(filter, { $set: { inputs: [] } })
  return (await LlmAnswerModel.deleteMany(filter)).deletedCount
}
