import sharp from 'sharp'
import { findOwnerHints } from '../../../grader/extraction/owner/owner-hints.ts'
import { visibleLines } from '../../../grader/layout/paper-lines.ts'
import { batchesOf } from '../../../lib/batches.ts'
import type { PageCodeOfFile } from '../../../papers/codes/printed-copy.ts'
import type { QuarterTurns } from '../../../papers/geometry/quarter-turns.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  type ClassScanPageDoc,
  ClassScanPageModel,
  type ProposalDoc,
} from '../../../records/submissions/class-scan.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { readStoredPaper } from '../../submissions/pages/paper-reading.service.ts'
import { filledNumber, hasPrints } from '../printing/print.service.ts'
import { changeState, findPages, isStill, leave, storeProgress } from './class-scan.service.ts'
import { chooseSplit, findScannedCopies, proposePapers } from './propose-papers.ts'
import { proposeStudents } from './propose-students.ts'

const PAGES_AT_ONCE = 20

/** Of 2,000 pages, these take more memory than the reading. */
const fields = { picture: 0, written: 0 } as const

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
  const pages = await findPages(scan._id, fields)
  await readNumbers(scan, proposal, pages, await findScannedCopies(pages, assignment), services, signal)
  await readNames(scan, proposal, await findPages(scan._id, fields), assignment.blank.hash, services, signal)
  await proposeStudents(proposal, scan, assignment.course_id)
  signal.throwIfAborted()
  const revision = scan.revision + (again ? 1 : 0)
  await changeState(scan._id, ['analysing'], { state: 'ready', failure: null, proposal, revision }, scan)
}

export const hasPapers = ({ proposal }: ClassScanDoc): boolean => proposal.papers.length > 0

async function proposeFirst(scan: ClassScanDoc, assignment: AssignmentDoc, services: Services, signal: AbortSignal) {
  const blank = await services.files.localPath(assignment.blank.hash)
  await lookAtPages(scan, { blank, coded: await hasPrints(assignment._id) }, services, signal)
  const blankPages = await services.papers.countPages(blank)
  const pages = await findPages(scan._id, { picture: 0 })
  const { split } = scan.proposal
  const way = scan.split_chosen ? split : chooseSplit(split, pages, blankPages)
  return proposePapers(pages, way, blankPages, await findScannedCopies(pages, assignment))
}

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
          picture: await sharp({ create: { width: 200, height: 283, channels: 3, background: '#ffffff' } })
            .jpeg()
            .toBuffer(),
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

const SHEETS_AT_ONCE = 20
const TOPS_AT_ONCE = 8

const topsOf = ({ papers }: ProposalDoc) =>
  papers.flatMap(({ student_id, student_by, pages: [first] }) =>
    student_id === null && student_by === null ? (first?.page ?? []) : [],
  )

/** Pages unlike the blank's may begin another paper. Where they outnumber the papers, the blank is a wrong one. */
function pagesInDoubt({ papers }: ProposalDoc, byNumber: ReadonlyMap<number, ClassScanPageDoc>): number[] {
  const found = papers.flatMap(({ pages }) =>
    pages.slice(1).flatMap(({ page }) => {
      const seen = byNumber.get(page)
      return seen && !seen.sure && !seen.empty && !seen.code ? page : []
    }),
  )
  return found.length > papers.length ? [] : found
}

export async function countUnreadNames(scan: ClassScanDoc): Promise<number> {
  const page = { $in: topsOf(scan.proposal) }
  return ClassScanPageModel.countDocuments({ scan_id: scan._id, page, hints: { $exists: false }, problem: null })
}

async function readNumbers(
  scan: ClassScanDoc,
  proposal: ProposalDoc,
  pages: readonly ClassScanPageDoc[],
  copies: Awaited<ReturnType<typeof findScannedCopies>>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const firsts = new Set(topsOf(proposal))
  const open = pages.flatMap(({ _id, file, number, page, code, hints }) => {
    const design = copies.get(code?.copy_id ?? '')?.design
    if (!code || !design || hints || !firsts.has(page)) return []
    return [{ _id, file, toRead: { filePage: number, copyId: code.copy_id, page: code.page, design } }]
  })
  for (const [file, own] of Map.groupBy(open, (one) => one.file)) {
    const path = await services.files.localPath(scan.files[file]?.hash ?? '')
    for (const some of batchesOf(own, SHEETS_AT_ONCE)) {
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const { found } = await readTogetherOrAlone(
        some.map(({ toRead }) => toRead),
        (few) => services.papers.readAnswerSheets(path, [...few], { signal }),
      )
      for (const { _id, toRead } of some) {
        const read = found.find(({ filePage }) => filePage === toRead.filePage)
        const hint = filledNumber(read?.groups ?? [], 1)
        if (hint) await ClassScanPageModel.updateOne({ _id }, { $set: { hints: [hint] } })
      }
    }
  }
}

async function readNames(
  scan: ClassScanDoc,
  proposal: ProposalDoc,
  pages: readonly ClassScanPageDoc[],
  blankHash: string,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const byNumber = new Map(pages.map((one) => [one.page, one]))
  const wanted = new Set([...topsOf(proposal), ...pagesInDoubt(proposal, byNumber)])
  const tops = [...wanted].flatMap((page) => byNumber.get(page) ?? []).filter(({ problem }) => !problem)
  const unread = tops.filter(({ hints }) => !hints)
  const turns = new Map(proposal.papers.flatMap((paper) => paper.pages.map(({ page, turn }) => [page, turn] as const)))
  let done = tops.length - unread.length
  const blankLines = unread.length > 0 ? visibleLines(await readStoredPaper(blankHash, services, signal)) : []
  for (const [file, own] of Map.groupBy(unread, (one) => one.file)) {
    const path = await services.files.localPath(scan.files[file]?.hash ?? '')
    for (const some of batchesOf(own, TOPS_AT_ONCE)) {
      await storeProgress(scan._id, { step: 'names', done, total: tops.length })
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const { found } = await readTogetherOrAlone(
        some.map(({ number, page, turn }) => ({ number, turns: ((turns.get(page) ?? turn) / 90) as QuarterTurns })),
        (few) => services.papers.readTops(path, [...few], { signal }),
      )
      for (const { number, lines, width, height } of found) {
        const page = some.find((one) => one.number === number)
        if (!page) continue
        const hints = findOwnerHints(visibleLines({ pages: [{ number: 1, width, height, lines }] }), blankLines)
        await ClassScanPageModel.updateOne({ _id: page._id }, { $set: { hints } })
      }
      done += some.length
    }
  }
}

interface PagesRead<Page, Found> {
  found: Found[]
  failed: Map<Page, PaperError>
}

/** Else one by one, so that a bad page costs no other. @throws {PaperError} if none can be read; `cancelled` */
export async function readTogetherOrAlone<Page, Found>(
  pages: readonly Page[],
  read: (some: readonly Page[]) => Promise<Found[]>,
): Promise<PagesRead<Page, Found>> {
  const failed = new Map<Page, PaperError>()
  try {
    return { found: await read(pages), failed }
  } catch (error) {
    if (pages.length > 1) rethrowUnlessOfPage(error)
    else failed.set(pages[0] as Page, rethrowUnlessOfPage(error))
  }
  const found: Found[] = []
  for (const page of pages.length > 1 ? pages : [])
    try {
      found.push(...(await read([page])))
    } catch (error) {
      failed.set(page, rethrowUnlessOfPage(error))
    }
  const [first] = failed.values()
  if (first && pages.length > 1 && failed.size === pages.length) throw first
  return { found, failed }
}

function rethrowUnlessOfPage(error: unknown): PaperError {
  if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
  return error
}
