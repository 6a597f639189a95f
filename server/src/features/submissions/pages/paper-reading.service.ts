import type { Paper } from '@assay/shared/papers.ts'
import { mongo } from 'mongoose'
import { PaperError } from '../../../papers/paper-error.ts'
import { type ReadingDoc, ReadingModel } from '../../../records/submissions/reading.model.ts'
import type { Services } from '../../../services.ts'

/** Raised when reading gets better, so that papers are read afresh. */
const READER_VERSION = 3

/** A document of MongoDB has 16 MiB at most. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 - 1024

const { BSON } = mongo

/**
 * A stored PDF's pages: from an earlier reading of the same content, else read now and kept.
 * @throws {PaperError} with a sentence for the teacher when the file cannot be read
 */
export async function readStoredPaper(
  hash: string,
  { files, papers, clock }: Services,
  signal?: AbortSignal,
): Promise<Paper> {
  const kept = await findStoredReading(hash)
  if (kept) return kept
  const paper = await papers.read(await files.localPath(hash), signal ? { signal } : {})
  // Text in other scripts takes more bytes a letter than the reader counts.
  if (BSON.calculateObjectSize({ paper }) > MAX_DOCUMENT_BYTES) throw new PaperError('too_much_text')
  const reading = { reader_version: READER_VERSION, paper, read_at: clock.now() }
  await ReadingModel.updateOne({ _id: hash }, { $set: reading }, { upsert: true })
  return paper
}

/** The pages as they were read earlier; null when they were not, or not as well as they are now. */
export async function findStoredReading(hash: string): Promise<Paper | null> {
  const stored = await findReading(hash)
  return stored?.reader_version === READER_VERSION ? stored.paper : null
}

/** By any version of the reader. */
export function findReading(hash: string): Promise<ReadingDoc | null> {
  return ReadingModel.findById(hash).lean()
}
