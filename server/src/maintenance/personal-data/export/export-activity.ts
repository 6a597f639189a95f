import type { ExportedData } from '@assay/shared/exported-data.ts'
import { type AuditDoc, AuditModel } from '../../../audit/audit.service.ts'
import { idsOfAssignmentsHidingNames } from '../../../features/assignments/assignment-queries.ts'
import { type ExportScope, ownsAddress } from './export-scope.ts'

/** Of more, the newest. */
export const MOST_ENTRIES = 20_000

/** What is done to a pending enrolment, for the owner of its address. */
const FOR_THE_ADDRESS = ['student.place_kept', 'student.invited_again', 'student.removed']

/**
 * What the person did, and what was done to their account. What was done to their papers may not be released yet, and has teachers' words:
 * it is in an administrator's export only.
 */
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
    // What an instructor did to others' papers is in others' words and numbers.
    ...(scope === 'school' && isAbout(entry) ? { before: entry.before, after: entry.after } : {}),
  }))
}
