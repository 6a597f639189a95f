import type { Paper } from '@assay/shared/papers.ts'
import { mongo } from 'mongoose'
import { PaperError } from '../../../papers/paper-error.ts'
import { type ReadingDoc, ReadingModel } from '../../../records/submissions/reading.model.ts'
import type { Services } from '../../../services.ts'

/** Raised when the reader improves, so that papers are read again. */
const READER_VERSION = 8

/** A document of MongoDB has 16 MiB at most. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 - 1024

const { BSON } = mongo

/**
 * A stored PDF's pages: from an earlier reading of the same file, or else read now and stored.
 * @throws {PaperError} with a sentence for the teacher when the file cannot be read
 */
export async function readStoredPaper(
  hash: string,
  { files, papers, clock }: Pick<Services, 'files' | 'papers' | 'clock'>,
  signal?: AbortSignal,
): Promise<Paper> {
  const stored = await findStoredReading(hash)
  if (stored) return stored
  const paper = await papers.read(await files.localPath(hash), signal ? { signal } : {})
  // The reader limits characters; in some scripts each takes several bytes.
  if (BSON.calculateObjectSize({ paper }) > MAX_DOCUMENT_BYTES) throw new PaperError('too_much_text')
  const reading = { reader_version: READER_VERSION, paper, read_at: clock.now() }
  await ReadingModel.updateOne({ _id: hash }, { $set: reading }, { upsert: true })
  return paper
}

/**
 * What the codes printed on the pages of a stored PDF say: from an earlier look at the same file, or else read now and stored.
 * @throws {PaperError}
 */
export async function readStoredCodes(
  hash: string,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
  signal: AbortSignal,
): Promise<NonNullable<ReadingDoc['codes']>> {
  const stored = await findReading(hash)
  if (stored?.codes) return stored.codes
  const found = await papers.readPageCodes(await files.localPath(hash), undefined, { signal })
  const codes = found.map(({ filePage, copyId, page }) => ({ page: filePage, copy_id: copyId, blank_page: page }))
  await ReadingModel.updateOne({ _id: hash }, { $set: { codes } })
  return codes
}

/** The pages as read earlier by the current version of the reader; null otherwise. */
export async function findStoredReading(hash: string): Promise<Paper | null> {
  const stored = await findReading(hash)
  return stored?.reader_version === READER_VERSION ? stored.paper : null
}

/** How many pages a stored PDF has; null until it has been read. */
export async function countPagesRead(hash: string): Promise<number | null> {
  return (await findReading(hash))?.paper.pages.length ?? null
}

/** By any version of the reader. */
export function findReading(hash: string): Promise<ReadingDoc | null> {
  return ReadingModel.findById(hash).lean()
}
