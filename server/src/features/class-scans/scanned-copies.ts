import type { SheetDesign } from '../../papers/answer-sheet/sheet-design.ts'
import type { CopyRead } from '../../papers/splitting/split-by-codes.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { ClassScanPageDoc } from '../../records/submissions/class-scan.model.ts'
import { findPrintedCopies } from '../printing/print.service.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'

export interface ScannedCopy extends CopyRead {
  /** Its pages are those of the present blank: not of an earlier one, nor an answer sheet's. */
  current: boolean
  outdated: boolean
  design: SheetDesign | null
}

/** By id; null for a copy of another assignment, of which nothing more may be known here. */
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
            current: !copy.sheet && copy.blank_hash === assignment.blank.hash,
            outdated: !copy.sheet && copy.blank_hash !== assignment.blank.hash,
            sheet: copy.sheet !== null,
            design: copy.sheet?.design ?? null,
          }
        : null,
    ]),
  )
}
