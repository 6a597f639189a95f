import type { ClassScan, ClassScanPaper } from '@assay/shared/class-scans.ts'

/** “: Ada Lovelace” after a paper's number; nothing where it has no student. */
export function studentSuffix({ students }: ClassScan, { student_id }: ClassScanPaper): string {
  const student = students.find(({ id }) => id === student_id)
  return student ? `: ${student.name}` : ''
}
