import type { ExportedData } from '@assay/shared/exported-data.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { CourseDoc, EnrollmentDoc } from '../../../records/courses/course.model.ts'
import { RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import type { LtiIdentityDoc } from '../../../records/lti/identity.model.ts'
import type { LtiLaunchDoc } from '../../../records/lti/launch.model.ts'
import type { LtiMemberDoc } from '../../../records/lti/member.model.ts'
import type { LtiScoreDoc } from '../../../records/lti/score.model.ts'
import type { SessionDoc } from '../../../records/people/session.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { PhotoDraftDoc } from '../../../records/submissions/photo-draft.model.ts'
import {
  type ExportScope,
  findCourseName,
  findShownAssignment,
  isoOrNull,
  mayShow,
  named,
  ownsAddress,
} from './export-scope.ts'

export function exportAccount(user: UserDoc): ExportedData['account'] {
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

/** The account itself is in a place of its own. */
export const exportJoinedAccount = (joined: UserDoc, { user }: ExportScope): ExportedData['joined_accounts'] =>
  joined._id === user._id ? [] : [exportAccount(joined)]

export const exportSession = ({ created_at, seen_at, expires_at, launch_id }: SessionDoc): ExportedData['sessions'] => [
  {
    started_at: created_at.toISOString(),
    last_used_at: isoOrNull(seen_at),
    expires_at: expires_at.toISOString(),
    from_lms: launch_id != null,
  },
]

export const exportEnrollment =
  (as: 'student' | 'invited') =>
  async (enrollment: EnrollmentDoc, scope: ExportScope): Promise<ExportedData['courses']> => {
    if (as === 'invited' && !ownsAddress(scope)) return []
    const { course_id, enrolled_at, external_user_id, sis_user_id } = enrollment
    return [
      {
        course: (await findCourseName(course_id)) ?? { id: course_id, name: '' },
        as,
        since: enrolled_at.toISOString(),
        lms_user_id: external_user_id ?? null,
        student_number: sis_user_id ?? null,
      },
    ]
  }

export const exportTaughtCourse = ({ _id, name }: CourseDoc): ExportedData['courses'] => [
  { course: { id: _id, name }, as: 'instructor', since: null, lms_user_id: null, student_number: null },
]

export function exportExtensions(assignment: AssignmentDoc, scope: ExportScope): ExportedData['extensions'] {
  if (!mayShow(scope, assignment)) return []
  return (assignment.extensions ?? [])
    .filter(({ student_id }) => scope.ids.includes(student_id))
    .map(({ due_at, closes_at }) => ({
      assignment: named(assignment),
      due_at: due_at.toISOString(),
      closes_at: isoOrNull(closes_at),
    }))
}

/** Rows with the person's address in files that wait or were refused. */
export async function exportRosterRows(scope: ExportScope): Promise<unknown[]> {
  const address = normalizeLogin(scope.user.email)
  const rows: unknown[] = []
  if (address === '' || !ownsAddress(scope)) return rows
  for await (const { rows: waiting, failures } of RosterStepModel.find().lean().cursor()) {
    rows.push(...waiting.filter(({ entry }) => normalizeLogin(entry.email ?? '') === address).map(({ entry }) => entry))
    rows.push(...failures.filter(({ email }) => normalizeLogin(email) === address))
  }
  return rows
}

/** A student's own. A teacher's are of students' papers. */
export async function exportPhotoDraft(
  { assignment_id, expires_at, pages }: PhotoDraftDoc,
  scope: ExportScope,
): Promise<ExportedData['photo_drafts']> {
  if (scope.user.role !== 'student' || pages.length === 0) return []
  const assignment = await findShownAssignment(scope, assignment_id)
  if (!assignment) return []
  const name = `${assignment.title}, not handed in`
  const photos = pages.map(({ photo: { hash, type } }) => scope.addFile('photos', name, { hash }, type))
  return [{ assignment: named(assignment), expires_at: expires_at.toISOString(), photos }]
}

type Lms = ExportedData['lms']

export const exportIdentity = ({ issuer, sub, created_at }: LtiIdentityDoc): Lms['identities'] => [
  { issuer, user_id: sub, since: created_at.toISOString() },
]

export async function exportMember(member: LtiMemberDoc): Promise<Lms['memberships']> {
  const { context, role, status, name, email, sis_id, updated_at } = member
  const course = (await LtiContextModel.findById(context, { title: 1 }).lean())?.title ?? null
  const person = { name, email, number: sis_id ?? null }
  return [{ course, role, state: status, ...person, updated_at: updated_at.toISOString() }]
}

export const exportLaunch = ({ created_at, role }: LtiLaunchDoc): Lms['launches'] => [
  { at: created_at.toISOString(), role },
]

/** Those the LMS has accepted. */
export async function exportScore(
  { assignment_id, accepted }: LtiScoreDoc,
  scope: ExportScope,
): Promise<Lms['scores']> {
  const assignment = accepted && (await findShownAssignment(scope, assignment_id))
  if (!assignment) return []
  const { percent, comment, at } = accepted
  return [{ assignment: named(assignment), percent, comment, at: at.toISOString() }]
}
