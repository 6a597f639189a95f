import type { Services } from '../../services.ts'
import { enrolledUsers } from '../courses/enrollment.service.ts'
import { matchByName } from './match-student.ts'
import { tellSubmissionChanged } from './submission.events.ts'
import { type SubmissionDoc, SubmissionModel } from './submission.model.ts'

type Owner = Pick<SubmissionDoc, 'student_id' | 'student_identifier'>

/** Whose paper it is by the name on it, where the file's name did not tell; a name never takes over a match. */
export async function studentByName(submission: SubmissionDoc, name: string | null): Promise<Partial<Owner>> {
  if (submission.student_id !== null || submission.course_id === null || !name) return {}
  const student = matchByName(name, await enrolledUsers(submission.course_id))
  if (!student) return {}
  const other = await SubmissionModel.exists({
    assignment_id: submission.assignment_id,
    student_id: student._id,
  })
  return other ? {} : { student_id: student._id, student_identifier: student.username }
}

/** Two papers with one name, read at the same moment, are nobody's until a person has looked. */
export async function letGoIfDoubtful(
  now: SubmissionDoc,
  before: SubmissionDoc,
  services: Services,
): Promise<void> {
  if (now.student_id === null || now.student_id === before.student_id) return
  const same = { assignment_id: now.assignment_id, student_id: now.student_id }
  if ((await SubmissionModel.countDocuments(same)) < 2) return
  const owner: Owner = { student_id: null, student_identifier: before.student_identifier }
  const freed = await SubmissionModel.findOneAndUpdate(
    { _id: now._id },
    { $set: owner },
    { returnDocument: 'after' },
  ).lean()
  if (freed) await tellSubmissionChanged(freed, services)
}
