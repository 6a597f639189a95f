import type { ExportedData } from '@assay/shared/exported-data.ts'
import type { QueryFilter } from 'mongoose'
import { type AuditDoc, AuditModel } from '../../../audit/audit.service.ts'
import { idsOfAssignmentsHidingNames } from '../../../features/assignments/assignment-queries.ts'
import type { ExportScope } from './export-scope.ts'

/** Of more, the newest. */
export const MOST_ENTRIES = 20_000

/**
 * What the person did, and what was done to their account. What was done to their papers may not be released yet, and has teachers' words:
 * it is in an administrator's export only.
 */
export async function exportActivity(
  { scope, ids }: ExportScope,
  submissionIds: number[],
): Promise<ExportedData['activity']> {
  const theirs: QueryFilter<AuditDoc>[] = [{ actor_id: { $in: ids } }]
  const own: QueryFilter<AuditDoc> = { 'subject.user_id': { $in: ids }, 'subject.submission_id': { $exists: false } }
  const about: QueryFilter<AuditDoc>[] = [
    { 'subject.user_id': { $in: ids } },
    { 'subject.student_id': { $in: ids } },
    { 'subject.submission_id': { $in: submissionIds } },
  ]
  const hiding = scope === 'own' ? [] : await idsOfAssignmentsHidingNames()
  const entries = await AuditModel.find({
    $or: [...theirs, ...(scope === 'own' ? [own] : about)],
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
