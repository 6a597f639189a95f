import type { ExportedData } from '@assay/shared/exported-data.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../../records/courses/pending-enrollment.model.ts'
import { RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import { SessionModel } from '../../../records/people/session.model.ts'
import { type UserDoc, UserModel } from '../../../records/people/user.model.ts'
import { courseNames, type ExportScope, isoOrNull, mayShow, named, ownsAddress } from './export-scope.ts'

type Account = ExportedData['account']

export function exportAccount(user: UserDoc): Account {
  return {
    id: user._id,
    username: user.username,
    full_name: user.full_name,
    email: user.email,
    email_confirmed_at: isoOrNull(user.email_verified_at),
    institution: user.institution,
    student_number: user.student_number,
    role: user.role,
    state: user.account,
    from_lms: user.from_lms === true,
    notifications: user.notifications ? { ...user.notifications } : null,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    last_seen_at: isoOrNull(user.last_seen_at),
  }
}

export async function exportJoinedAccounts({ user }: ExportScope): Promise<Account[]> {
  return (await UserModel.find({ joined_into: user._id }).sort({ _id: 1 }).lean()).map(exportAccount)
}

export async function exportSessions({ ids }: ExportScope): Promise<ExportedData['sessions']> {
  const sessions = await SessionModel.find({ user_id: { $in: ids } })
    .sort({ created_at: -1 })
    .lean()
  return sessions.map(({ created_at, seen_at, expires_at, launch_id }) => ({
    started_at: created_at.toISOString(),
    last_used_at: isoOrNull(seen_at),
    expires_at: expires_at.toISOString(),
    from_lms: launch_id != null,
  }))
}

export async function exportCourses(export_: ExportScope): Promise<ExportedData['courses']> {
  const { ids } = export_
  const theirs = { user_id: { $in: ids } }
  const [enrolled, pending, taught] = await Promise.all([
    EnrollmentModel.find(theirs).lean(),
    ownsAddress(export_) ? PendingEnrollmentModel.find(theirs).lean() : [],
    CourseModel.find({ instructor_ids: { $in: ids } }, { name: 1 }).lean(),
  ])
  const names = await courseNames([...enrolled, ...pending].map(({ course_id }) => course_id))
  const asStudent = (as: 'student' | 'invited') => (one: (typeof enrolled)[number] | (typeof pending)[number]) => ({
    course: names.get(one.course_id) ?? { id: one.course_id, name: '' },
    as,
    since: one.enrolled_at.toISOString(),
    lms_user_id: one.external_user_id ?? null,
    student_number: one.sis_user_id ?? null,
  })
  return [
    ...enrolled.map(asStudent('student')),
    ...pending.map(asStudent('invited')),
    ...taught.map(({ _id, name }) => ({
      course: { id: _id, name },
      as: 'instructor' as const,
      since: null,
      lms_user_id: null,
      student_number: null,
    })),
  ]
}

export async function exportExtensions(export_: ExportScope): Promise<ExportedData['extensions']> {
  const { ids } = export_
  const found = await AssignmentModel.find(
    { 'extensions.student_id': { $in: ids } },
    { title: 1, course_id: 1, status: 1, anonymous: 1, extensions: 1 },
  ).lean()
  return found
    .filter((assignment) => mayShow(export_, assignment))
    .flatMap((assignment) =>
      (assignment.extensions ?? [])
        .filter(({ student_id }) => ids.includes(student_id))
        .map(({ due_at, closes_at }) => ({
          assignment: named(assignment),
          due_at: due_at.toISOString(),
          closes_at: isoOrNull(closes_at),
        })),
    )
}

/** Rows with the person's address in files that wait or were refused. */
export async function exportRosterRows(export_: ExportScope): Promise<unknown[]> {
  const address = normalizeLogin(export_.user.email)
  const rows: unknown[] = []
  if (address === '' || !ownsAddress(export_)) return rows
  for await (const { rows: waiting, failures } of RosterStepModel.find().lean().cursor()) {
    rows.push(...waiting.filter(({ entry }) => normalizeLogin(entry.email ?? '') === address).map(({ entry }) => entry))
    rows.push(...failures.filter(({ email }) => normalizeLogin(email) === address))
  }
  return rows
}
