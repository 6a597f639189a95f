import { UserModel } from '../users/user.model.ts'
import type { SubmissionDoc } from './submission.model.ts'

/** What would tell a model who the student is. */
export async function privateWords({
  student_id,
  student_identifier,
}: Pick<SubmissionDoc, 'student_id' | 'student_identifier'>): Promise<string[]> {
  const user = student_id === null ? null : await UserModel.findById(student_id).lean()
  const words = [student_identifier, user?.full_name, user?.username, user?.email, user?.student_number]
  return [...new Set(words.filter((word): word is string => !!word))]
}
