import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { namesById } from '../users/user.service.ts'

/** What each submission is called where only one name has room: its student's, or what it was uploaded as. */
export async function findSubmissionLabels(ids: number[]): Promise<Map<number, string>> {
  const submissions = await SubmissionModel.find({ _id: { $in: ids } }, { student_id: 1, student_identifier: 1 }).lean()
  const names = await namesById(submissions.flatMap(({ student_id }) => student_id ?? []))
  return new Map(
    submissions.map(({ _id, student_id, student_identifier }) => [
      _id,
      names.get(student_id ?? -1) ?? student_identifier,
    ]),
  )
}
