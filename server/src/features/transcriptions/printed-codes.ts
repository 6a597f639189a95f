import type { Paper } from '@assay/shared/papers.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import type { ReviewReason } from '../../grader/grader.ts'
import { toTransform } from '../../lib/plane-transform.ts'
import { pageToBlank } from '../../papers/codes/blank-on-page.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AnswersDoc } from '../../records/submissions/answers.model.ts'
import type { StoredCode, StoredPlace } from '../../records/submissions/reading.model.ts'
import type { Services } from '../../services.ts'
import { findPrintedCopies, hasPrints, type KnownCopy } from '../printing/print.service.ts'
import { readStoredCodes } from '../submissions/pages/paper-reading.service.ts'

export interface CodesOnPaper {
  /** By page of the file: the blank's page it is a copy of. */
  printedPages: ReadonlyMap<number, number>
  /** By page of the file, for the blank as it is now. */
  places: ReadonlyMap<number, StoredPlace>
  /** Null unless the codes are of one student alone. */
  printedFor: NonNullable<AnswersDoc['printed_for']> | null
  codes: StoredCode[]
  sheets: { code: StoredCode; sheet: NonNullable<KnownCopy['sheet']> }[]
  warnings: ReviewReason[]
}

const none: CodesOnPaper = {
  printedPages: new Map(),
  places: new Map(),
  printedFor: null,
  codes: [],
  sheets: [],
  warnings: [],
}

/** Finds nothing where no copies of the assignment were printed. */
export async function codesOnPaper(
  hash: string,
  { _id: assignmentId, blank }: Pick<AssignmentDoc, '_id' | 'blank'>,
  services: Services,
  signal: AbortSignal,
): Promise<CodesOnPaper> {
  if (!(await hasPrints(assignmentId))) return none
  const codes = await readStoredCodes(hash, services, signal)
  if (codes.length === 0) return none
  const copies = await findPrintedCopies(codes.map(({ copy_id }) => copy_id))
  const own = codes.filter(({ copy_id }) => copies.get(copy_id)?.assignment_id === assignmentId)
  const others = codes.filter(({ copy_id }) => (copies.get(copy_id)?.assignment_id ?? assignmentId) !== assignmentId)
  const students = new Set(own.flatMap(({ copy_id }) => copies.get(copy_id)?.student_id ?? []))
  const isSheet = ({ copy_id }: StoredCode) => copies.get(copy_id)?.sheet != null
  // A student has a copy of the blank and an answer sheet.
  const isSeveral = (some: StoredCode[]) => new Set(some.map(({ copy_id }) => copy_id)).size > 1
  const ofBlank = own.filter((code) => !isSheet(code))
  const severalCopies = students.size > 1 || isSeveral(ofBlank) || isSeveral(own.filter(isSheet))
  const [student = null] = students
  // The pages of two copies have no common order.
  const inOrder = severalCopies ? [] : ofBlank
  const current = inOrder.filter(({ copy_id }) => copies.get(copy_id)?.blank_hash === blank.hash)
  return {
    printedPages: new Map(inOrder.map(({ page, blank_page }) => [page, blank_page])),
    places: new Map(current.flatMap(({ page, lies }) => (lies ? [[page, lies]] : []))),
    printedFor: student !== null && !severalCopies ? { student_id: student, pages: own.map(({ page }) => page) } : null,
    codes,
    sheets: own.flatMap((code) => {
      const sheet = copies.get(code.copy_id)?.sheet
      return sheet ? [{ code, sheet }] : []
    }),
    warnings: [
      ...(severalCopies ? [SEVERAL_COPIES] : []),
      ...(others.length > 0 ? [ofAnotherAssignment(others.map(({ page }) => page))] : []),
    ],
  }
}

const SEVERAL_COPIES: ReviewReason = {
  code: 'two_students',
  message: 'The codes on its pages are of more than one printed copy. It may hold two papers.',
}

const ofAnotherAssignment = (pages: number[]): ReviewReason => ({
  code: 'other_assignment',
  message: `${capitalized(numberedList('page', pages))} ${pages.length === 1 ? 'has the code' : 'have codes'} of a copy printed for another assignment.`,
})

/** Adds what codes and marks say of each page. */
export const withPrintedPages = ({ pages }: Paper, { printedPages, places }: CodesOnPaper, blank: Paper): Paper => ({
  pages: pages.map((page) => {
    const printed_page = printedPages.get(page.number)
    if (printed_page === undefined) return page
    const place = places.get(page.number)
    const of = blank.pages.find(({ number }) => number === printed_page)
    // A blank that was itself turned to be read was printed as it lies in its file.
    if (!place || !of || of.turned) return { ...page, printed_page }
    const { to_sheet, format, reduction, exact } = place
    const transform = pageToBlank(page, { toSheet: toTransform(to_sheet), format, reduction }, of)
    return { ...page, printed_page, to_blank: { transform: [...transform], exact } }
  }),
})
