import type { SubmissionRow } from '@assay/shared/submissions.ts'

/** Who handed it in, as far as we know. */
export function studentName(submission: Pick<SubmissionRow, 'student' | 'student_identifier'>): string {
  return submission.student?.full_name || submission.student_identifier || 'Unknown Student'
}
