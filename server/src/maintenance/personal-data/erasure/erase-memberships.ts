import type { RosterResult } from '@assay/shared/roster.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { ReminderModel } from '../../../records/assignments/reminder.model.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { type RosterPerson, RosterStepModel } from '../../../records/courses/roster-import.model.ts'
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
  await eraseRosterRows(addresses, accounts)
}

export const addressesOf = (accounts: ErasureTask['accounts']): Set<string> =>
  new Set(accounts.flatMap(({ email }) => (email.includes('@') ? [normalizeLogin(email)] : [])))

/** Rows of a file that wait to be added, or could not be; all of them go after a week. */
async function eraseRosterRows(addresses: Set<string>, accounts: ErasureTask['accounts']): Promise<void> {
  // Of accounts without an address the rows have name and number; a person of the same name has another number.
  const unaddressed = accounts.filter(({ roster_course_id, full_name }) => roster_course_id != null && full_name)
  if (addresses.size + unaddressed.length === 0) return
  const isAddress = (email: string) => addresses.has(normalizeLogin(email))
  const isTheirRow = ({ email, full_name, sis_user_id }: RosterPerson) =>
    email === null
      ? unaddressed.some((one) => one.full_name === full_name && one.student_number === sis_user_id)
      : isAddress(email)
  const isTheirFailure = ({ email, message }: RosterResult) =>
    email === '' ? unaddressed.some(({ full_name }) => message.startsWith(`${full_name} `)) : isAddress(email)
  for await (const step of RosterStepModel.find().lean().cursor()) {
    const rows = step.rows.filter(({ entry }) => isTheirRow(entry)).map(({ row }) => row)
    const failures = step.failures.filter(isTheirFailure).map(({ row }) => row)
    if (rows.length + failures.length === 0) continue
    await RosterStepModel.updateOne(
      { _id: step._id },
      { $pull: { rows: { row: { $in: rows } }, failures: { row: { $in: failures } } } },
    )
  }
}
