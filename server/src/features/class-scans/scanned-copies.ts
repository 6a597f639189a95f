import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ClassScanPageDoc } from '../../records/submissions/class-scan.model.ts'
import { findPrintedCopies } from '../printing/print.service.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'

/** A printed copy of the assignment whose pages are scanned. */
export interface ScannedCopy {
  pages: number
  /** Null for a spare copy, and where the student has left the course. */
  student_id: number | null
  /** It was printed from the blank as it is now. */
  current: boolean
}

/** By their ids, the copies whose codes were read; null for one of another assignment, of which no more is to be known here. */
export async function findScannedCopies(
  pages: readonly Pick<ClassScanPageDoc, 'code'>[],
  assignment: AssignmentDoc,
): Promise<Map<string, ScannedCopy | null>> {
  const ids = new Set(pages.flatMap(({ code }) => code?.copy_id ?? []))
  if (ids.size === 0) return new Map()
  const roster = assignment.course_id === null ? [] : await loadMatchingRoster(assignment.course_id)
  const students = new Set(roster.map(({ _id }) => _id))
  const known = await findPrintedCopies([...ids])
  return new Map(
    [...known].map(([id, copy]) => [
      id,
      copy.assignment_id === assignment._id
        ? {
            pages: copy.pages,
            student_id: copy.student_id !== null && students.has(copy.student_id) ? copy.student_id : null,
            current: copy.blank_hash === assignment.blank.hash,
          }
        : null,
    ]),
  )
}
