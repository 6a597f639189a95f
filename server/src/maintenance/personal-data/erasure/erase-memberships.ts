import { normalizeLogin } from '../../../features/users/user.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { ReminderModel } from '../../../records/assignments/reminder.model.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import { withInvalidation } from '../../../records/grading/analytics-invalidation.ts'
import type { ErasureTask } from './erasure-task.ts'

/** Enrolments, and what is stored of a person by course or assignment beside their papers. */
export async function eraseMemberships({ erasure, accounts }: ErasureTask): Promise<void> {
  const ids = erasure.account_ids
  const addresses = addressesOf(accounts)
  const courses: number[] = await EnrollmentModel.distinct('course_id', { user_id: { $in: ids } })
  const dependencies = courses.map((id) => `course/${id}` as const)
  await withInvalidation(dependencies, () => EnrollmentModel.deleteMany({ user_id: { $in: ids } }))
  await PendingEnrollmentModel.deleteMany({ user_id: { $in: ids } })
  const extension = { student_id: { $in: ids } }
  await AssignmentModel.updateMany({ 'extensions.student_id': { $in: ids } }, { $pull: { extensions: extension } })
  await ReminderModel.deleteMany({ _id: { $regex: `^\\d+/(${ids.join('|')})/` } })
  await eraseRosterRows(addresses)
}

export const addressesOf = (accounts: ErasureTask['accounts']): Set<string> =>
  new Set(accounts.flatMap(({ email }) => (email.includes('@') ? [normalizeLogin(email)] : [])))

/** Rows of a file that wait to be added, or could not be; all of them go after a week. */
async function eraseRosterRows(addresses: Set<string>): Promise<void> {
  if (addresses.size === 0) return
  const isTheirs = (email: string) => addresses.has(normalizeLogin(email))
  for await (const step of RosterStepModel.find().lean().cursor()) {
    const rows = step.rows.filter(({ entry }) => isTheirs(entry.email)).map(({ row }) => row)
    const failures = step.failures.filter(({ email }) => isTheirs(email)).map(({ row }) => row)
    if (rows.length + failures.length === 0) continue
    await RosterStepModel.updateOne(
      { _id: step._id },
      { $pull: { rows: { row: { $in: rows } }, failures: { row: { $in: failures } } } },
    )
  }
}
