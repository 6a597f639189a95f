import { nameOf } from '@assay/shared/rules/person-name.ts'
import type { SubmissionRow } from '@assay/shared/submissions.ts'

/** Of a group all names. */
export function studentName({
  student,
  partners = [],
  student_identifier,
}: Pick<SubmissionRow, 'student' | 'partners' | 'student_identifier'>): string {
  const first = student?.full_name || student_identifier || 'Unknown Student'
  return [first, ...partners.map(nameOf)].join(', ')
}
