import type { Paper } from '@assay/shared/papers.ts'
import { mongo } from 'mongoose'
import { AppError } from '../../../lib/http/app-error.ts'
import type { SheetPageToRead } from '../../../papers/answer-sheet/sheet-reading.ts'
import { isPlacedByMarks } from '../../../papers/codes/blank-on-page.ts'
import type { QuarterTurns } from '../../../papers/geometry/quarter-turns.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { PageTop } from '../../../papers/splitting/scanned-page.ts'
import {
  type ReadingDoc,
  ReadingModel,
  type StoredCode,
  type StoredSheetPage,
} from '../../../records/submissions/reading.model.ts'
import type { Services } from '../../../services.ts'

/** Raised when the reader improves, so that papers are read again. */
const READER_VERSION = 11

/** MongoDB's limit is 16 MiB. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 - 1024

const { BSON } = mongo

/** Stored when first read. @throws {PaperError} with a sentence for the teacher */
export async function readStoredPaper(
  hash: string,
  services: Pick<Services, 'files' | 'papers' | 'clock'>,
  signal?: AbortSignal,
  sheets: readonly StoredCode[] = [],
): Promise<Paper> {
  const stored = await findStoredReading(hash)
  if (stored) return stored
  const file = await services.files.localPath(hash)
  const skip = sheets.map(({ page }) => page)
  const options = { ...(signal ? { signal } : {}), ...(skip.length > 0 ? { skip } : {}) }
  const read = await services.papers.read(file, options)
  const tops = sheets.map(({ page, turns = 0 }) => ({ number: page, turns }))
  const known = tops.length === 0 ? [] : await services.papers.readTops(file, tops, signal ? { signal } : {})
  return storeReading(hash, withTops(read, known, tops), services)
}

/** False if a page has to be read by OCR. @throws {PaperError} */
export async function readIfTyped(
  hash: string,
  services: Pick<Services, 'files' | 'papers' | 'clock'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (await findStoredReading(hash)) return true
  const paper = await services.papers.readTyped(await services.files.localPath(hash), { signal })
  if (paper) await storeReading(hash, paper, services)
  return paper !== null
}

async function storeReading(hash: string, paper: Paper, { clock }: Pick<Services, 'clock'>): Promise<Paper> {
  // In some scripts each character takes several bytes.
  if (BSON.calculateObjectSize({ paper }) > MAX_DOCUMENT_BYTES) throw new PaperError('too_much_text')
  const reading = { reader_version: READER_VERSION, paper, read_at: clock.now() }
  await ReadingModel.updateOne({ _id: hash }, { $set: reading }, { upsert: true })
  return paper
}

/** Stored when first read. @throws {PaperError} */
export async function readStoredCodes(
  hash: string,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
  signal: AbortSignal,
): Promise<StoredCode[]> {
  const stored = await findReading(hash)
  // Earlier versions did not store where their sheets lie.
  if (stored?.codes?.every(({ lies }) => lies)) return stored.codes
  const found = await papers.readPageCodes(await files.localPath(hash), undefined, { signal })
  const codes = found.map((code): StoredCode => {
    const { filePage, copyId, page, rotation, toSheet, format, reduction } = code
    const turns = ((4 - Math.round(rotation / 90)) % 4) as QuarterTurns
    const lies = { to_sheet: toSheet, format, reduction, exact: isPlacedByMarks(code) }
    return { page: filePage, copy_id: copyId, blank_page: page, turns, lies }
  })
  await storeCodes(hash, codes)
  return codes
}

export async function storeCodes(hash: string, codes: StoredCode[]): Promise<void> {
  await ReadingModel.updateOne({ _id: hash }, { $set: { codes } })
}

const SHEET_READER_VERSION = 3

/** Stored when first read. @throws {PaperError} */
export async function readStoredSheets(
  hash: string,
  pages: readonly SheetPageToRead[],
  { files, papers }: Pick<Services, 'files' | 'papers'>,
  signal: AbortSignal,
): Promise<StoredSheetPage[]> {
  const stored = (await findReading(hash))?.sheets
  const isKnown = ({ filePage, copyId }: SheetPageToRead) =>
    stored?.pages.some(({ page, copy_id }) => page === filePage && copy_id === copyId)
  if (stored?.reader_version === SHEET_READER_VERSION && pages.every(isKnown)) return stored.pages
  const read = await papers.readAnswerSheets(await files.localPath(hash), pages, { signal })
  const found = read.map(({ problem, groups }, i): StoredSheetPage => {
    const { filePage = 0, copyId = '', page = 0 } = pages[i] ?? {}
    return { page: filePage, copy_id: copyId, sheet_page: page, problem, groups }
  })
  const sheets = { reader_version: SHEET_READER_VERSION, pages: found }
  await ReadingModel.updateOne({ _id: hash }, { $set: { sheets } })
  return found
}

const degrees = [0, 90, 180, 270] as const

function withTops(
  { pages }: Paper,
  tops: readonly PageTop[],
  turned: readonly { number: number; turns: QuarterTurns }[],
): Paper {
  return {
    pages: pages.map((page) => {
      const top = tops.find(({ number }) => number === page.number)
      const by = degrees[turned.find(({ number }) => number === page.number)?.turns ?? 0]
      return top ? { ...top, ...(by === 0 ? {} : { turned: by }) } : page
    }),
  }
}

export async function findStoredReading(hash: string): Promise<Paper | null> {
  const stored = await findReading(hash)
  return stored?.reader_version === READER_VERSION ? stored.paper : null
}

export const countPagesRead = async (hash: string): Promise<number | null> =>
  (await findReading(hash))?.paper.pages.length ?? null

export const findReading = (hash: string): Promise<ReadingDoc | null> => ReadingModel.findById(hash).lean()

/** A page (from 1) as PNG, `width` pixels wide; upright once read. */
export async function renderStoredPage(
  hash: string,
  page: number,
  width: number,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
): Promise<Buffer> {
  try {
    const image = await papers.renderPage(await files.localPath(hash), page, { width })
    const turned = await findRotation(hash, page)
    if (turned === 0) return image
    const { default: sharp } = await import('sharp')
    return await sharp(image).rotate(turned).resize({ width }).png().toBuffer()
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    throw new AppError(cause.code === 'no_such_page' ? 'resource_not_found' : 'bad_request', cause.message, { cause })
  }
}

/** Degrees clockwise. */
async function findRotation(hash: string, page: number): Promise<number> {
  const fields = { 'paper.pages.number': 1, 'paper.pages.turned': 1 }
  const reading = await ReadingModel.findById(hash, fields).lean<{ paper: Pick<Paper, 'pages'> }>()
  return reading?.paper.pages.find(({ number }) => number === page)?.turned ?? 0
}
