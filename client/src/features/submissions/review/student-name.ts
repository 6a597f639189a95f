import type { SubmissionRow } from '@assay/shared/submissions.ts'

export function studentName(submission: Pick<SubmissionRow, 'student' | 'student_identifier'>): string {
  return submission.student?.full_name || submission.student_identifier || 'Unknown Student'
}
