import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'

/** Request hashes go too, as they would confirm a guessed text; totals and budgets need the costs. */
export async function deleteLlmAnswers(subject: 'submission_id' | 'assignment_id', ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  const filter = { [subject]: { $in: ids } }
  await LlmCallModel.updateMany(filter, { $set: { inputs: [] } })
  return (await LlmAnswerModel.deleteMany(filter)).deletedCount
}
