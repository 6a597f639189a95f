import type { ClassScanPaper } from '@assay/shared/class-scans.ts'

/** Whether a teacher should look at a paper before it is confirmed. */
export const isDoubtful = ({ pages, notes, student_doubt, student_id, student_by, checked }: ClassScanPaper): boolean =>
  !checked &&
  (pages.some(({ doubts }) => doubts.length > 0) ||
    notes.length > 0 ||
    student_doubt !== null ||
    (student_id === null && student_by !== 'teacher'))
