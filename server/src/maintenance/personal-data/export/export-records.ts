import type { ExportedData } from '@assay/shared/exported-data.ts'
import { type AuditDoc, AuditModel } from '../../../audit/audit.service.ts'
import { idsOfAssignmentsHidingNames } from '../../../features/assignments/assignment-queries.ts'
import { normalizeLogin } from '../../../features/users/user.service.ts'
import { RosterStepModel } from '../../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { type ExportScope, isoOrNull, ownsAddress } from './export-scope.ts'

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

/** The newest are kept. */
export const MOST_ENTRIES = 20_000

/** For the owner of the address of a pending enrolment. */
const FOR_THE_ADDRESS = ['student.place_kept', 'student.invited_again', 'student.removed']

/** Acts on their papers may be unreleased and have teachers' words, so only an administrator's export has them. */
export async function exportActivity(export_: ExportScope): Promise<ExportedData['activity']> {
  const { scope, ids, submissionIds } = export_
  const about =
    scope === 'own'
      ? [{ 'subject.user_id': { $in: ids }, 'subject.submission_id': { $exists: false } }]
      : [
          { 'subject.user_id': { $in: ids } },
          { 'subject.student_id': { $in: ids } },
          { 'subject.submission_id': { $in: submissionIds } },
        ]
  const hiding = scope === 'own' ? [] : await idsOfAssignmentsHidingNames()
  const entries = await AuditModel.find({
    $or: [{ actor_id: { $in: ids } }, ...about],
    ...(ownsAddress(export_) ? {} : { $nor: [{ action: { $in: FOR_THE_ADDRESS }, actor_id: { $nin: ids } }] }),
    ...(hiding.length > 0 ? { 'subject.assignment_id': { $nin: hiding } } : {}),
  })
    .sort({ _id: -1 })
    .limit(MOST_ENTRIES)
    .lean()
  const isAbout = ({ subject }: AuditDoc) =>
    ids.includes(subject.user_id ?? -1) ||
    ids.includes(subject.student_id ?? -1) ||
    submissionIds.includes(subject.submission_id ?? -1)
  return entries.map((entry) => ({
    at: entry.at.toISOString(),
    action: entry.action,
    subject: entry.subject,
    // An instructor's acts on others' papers are in others' words and numbers.
    ...(scope === 'school' && isAbout(entry) ? { before: entry.before, after: entry.after } : {}),
  }))
}
