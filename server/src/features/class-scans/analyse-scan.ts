import type { PageCodeOfFile } from '../../papers/codes/printed-copy.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  type ClassScanPageDoc,
  ClassScanPageModel,
  type ProposalDoc,
} from '../../records/submissions/class-scan.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { hasPrints } from '../printing/print.service.ts'
import { changeState, findPages, isStill, leave, storeProgress } from './class-scan.service.ts'
import { chooseSplit, proposePapers } from './propose-papers.ts'
import { proposeStudents } from './propose-students.ts'
import { emptyPicture, readOwners, readTogetherOrAlone } from './read-owners.ts'
import { findScannedCopies } from './scanned-copies.ts'

const PAGES_AT_ONCE = 20

const degrees = [0, 90, 180, 270] as const

/** The code is more reliable than the print about which way up a page lies. */
const uprightBy = (code: PageCodeOfFile | undefined) => code && degrees[(4 - Math.round(code.rotation / 90)) % 4]
const said = (code: PageCodeOfFile | undefined) => (code ? { copy_id: code.copyId, page: code.page } : null)

export async function analyseScan(scan: ClassScanDoc, services: Services, signal: AbortSignal): Promise<void> {
  const assignment = await findAssignment(scan.assignment_id)
  if (!assignment) return
  const again = hasPapers(scan)
  // A split that a teacher asked for or changed stays; some of its pages may be in submissions already.
  const proposal = again ? scan.proposal : await proposeFirst(scan, assignment, services, signal)
  await readOwners(scan, proposal, assignment, services, signal)
  await proposeStudents(proposal, scan, assignment.course_id)
  signal.throwIfAborted()
  const revision = scan.revision + (again ? 1 : 0)
  await changeState(scan._id, ['analysing'], { state: 'ready', failure: null, proposal, revision }, scan)
}

/** Then only names are still to be read. */
export const hasPapers = ({ proposal }: ClassScanDoc): boolean => proposal.papers.length > 0

async function proposeFirst(
  scan: ClassScanDoc,
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
): Promise<ProposalDoc> {
  const blank = await services.files.localPath(assignment.blank.hash)
  await lookAtPages(scan, { blank, coded: await hasPrints(assignment._id) }, services, signal)
  const blankPages = await services.papers.countPages(blank)
  const pages = await findPages(scan._id, { picture: 0 })
  const { split } = scan.proposal
  const way = scan.split_chosen ? split : chooseSplit(split, pages, blankPages)
  return proposePapers(pages, way, blankPages, await findScannedCopies(pages, assignment))
}

/** @param coded whether there are printed copies, with codes to be read */
async function lookAtPages(
  scan: ClassScanDoc,
  { blank, coded }: { blank: string; coded: boolean },
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set((await findPages(scan._id, { page: 1 })).map(({ page }) => page))
  const total = scan.files.reduce((sum, { pages }) => sum + pages, 0)
  let before = 0
  for (const [file, { hash, pages }] of scan.files.entries()) {
    const path = await services.files.localPath(hash)
    for (let from = 1; from <= pages; from += PAGES_AT_ONCE) {
      const to = Math.min(pages, from + PAGES_AT_ONCE - 1)
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      if (numbers.every((number) => seen.has(before + number))) continue
      signal.throwIfAborted()
      const { found, failed } = await readTogetherOrAlone(numbers, (some) =>
        services.papers.scanPages(path, { from: some[0] ?? from, to: some.at(-1) ?? to }, { blank, signal }),
      )
      const codes = coded
        ? await readTogetherOrAlone(numbers, (some) => services.papers.readPageCodes(path, some, { signal }))
        : { found: [] }
      const codeOf = new Map(codes.found.map((code) => [code.filePage, code]))
      const place = (number: number) => ({
        _id: `${scan._id}/${before + number}`,
        scan_id: scan._id,
        page: before + number,
        file,
        number,
        code: said(codeOf.get(number)),
      })
      const docs = found.map(
        ({ number, turns, empty, separator, blankPage, sure, picture, written, problem }): ClassScanPageDoc => ({
          ...place(number),
          turn: uprightBy(codeOf.get(number)) ?? degrees[turns],
          empty,
          separator,
          blank_page: blankPage,
          sure,
          // From another process they arrive as plain bytes.
          picture: Buffer.from(picture),
          written: written && { ...written, bits: Buffer.from(written.bits) },
          ...(problem === null ? {} : { problem }),
        }),
      )
      for (const [number, { message }] of failed)
        docs.push({
          ...place(number),
          ...{ turn: 0, empty: false, blank_page: null, sure: false, written: null },
          picture: await emptyPicture(),
          problem: message,
        })
      for (const doc of docs) seen.add(doc.page)
      await ClassScanPageModel.bulkWrite(
        docs.map((doc) => ({ replaceOne: { filter: { _id: doc._id }, replacement: doc, upsert: true } })),
      )
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      await storeProgress(scan._id, { step: 'pages', done: seen.size, total })
    }
    before += pages
  }
  if (seen.size < total) throw new PaperError('damaged')
}
