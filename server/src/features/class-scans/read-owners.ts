import sharp from 'sharp'
import { findOwnerHints } from '../../grader/extraction/owner/owner-hints.ts'
import { visibleLines } from '../../grader/layout/paper-lines.ts'
import type { QuarterTurns } from '../../papers/geometry/quarter-turns.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  type ClassScanPageDoc,
  ClassScanPageModel,
  type ProposalDoc,
} from '../../records/submissions/class-scan.model.ts'
import type { Services } from '../../services.ts'
import { filledNumber } from '../printing/filled-number.ts'
import { readStoredPaper } from '../submissions/pages/paper-reading.service.ts'
import { findPages, isStill, leave, storeProgress } from './class-scan.service.ts'
import { findScannedCopies } from './scanned-copies.ts'

const SHEETS_AT_ONCE = 20
const TOPS_AT_ONCE = 8

/** Without pictures and ink: of 2,000 pages they take more memory than the reading. */
const fields = { picture: 0, written: 0 } as const

export async function readOwners(
  scan: ClassScanDoc,
  proposal: ProposalDoc,
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const pages = await findPages(scan._id, fields)
  await readNumbers(scan, proposal, pages, await findScannedCopies(pages, assignment), services, signal)
  await readNames(scan, proposal, await findPages(scan._id, fields), assignment.blank.hash, services, signal)
}

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

/** The student numbers filled in on answer sheets printed for nobody in particular. */
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
    for (let from = 0; from < own.length; from += SHEETS_AT_ONCE) {
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const some = own.slice(from, from + SHEETS_AT_ONCE)
      const { found } = await readTogetherOrAlone(
        some.map(({ toRead }) => toRead),
        (few) => services.papers.readAnswerSheets(path, [...few], { signal }),
      )
      for (const { _id, toRead } of some) {
        const read = found.find(({ filePage }) => filePage === toRead.filePage)
        const hint = filledNumber(read?.groups ?? [], 1)
        // Otherwise the name on it is read with the others.
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
    for (let from = 0; from < own.length; from += TOPS_AT_ONCE) {
      await storeProgress(scan._id, { step: 'names', done, total: tops.length })
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const some = own.slice(from, from + TOPS_AT_ONCE)
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

export const emptyPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 283, channels: 3, background: '#ffffff' } })
    .jpeg()
    .toBuffer()
