import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'

type AnswerSubject = 'submission_id' | 'assignment_id'

/**
 * Takes away what models wrote about papers or assignments that are deleted, and the hashes of what they were told: whoever still has
 * the words could find them again by those. What was paid stays, as the month's sums and a budget rest on it. Returns how many answers.
 */
export async function deleteLlmAnswers(about: AnswerSubject, ids: number[]): Promise<number> {
  if (ids.length === 0) return 0
  const of = { [about]: { $in: ids } }
  await LlmCallModel.updateMany(of, { $set: { inputs: [] } })
  return (await LlmAnswerModel.deleteMany(of)).deletedCount
}

/** Answers that came in when what they are about was being deleted. Ids are never used again, so age does not matter. */
export async function sweepLlmAnswers(): Promise<number> {
  const find = {
    submission_id: (ids: number[]) => SubmissionModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
    assignment_id: (ids: number[]) => AssignmentModel.find({ _id: { $in: ids } }, { _id: 1 }).lean(),
  }
  let swept = 0
  for (const about of ['submission_id', 'assignment_id'] as const) {
    const ids: number[] = await LlmAnswerModel.distinct(about, { [about]: { $ne: null } })
    const there = new Set((await find[about](ids)).map(({ _id }) => _id))
    swept += await deleteLlmAnswers(
      about,
      ids.filter((id) => !there.has(id)),
    )
  }
  return swept
}
