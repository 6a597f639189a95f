import { createHash, createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { S3FileStore } from '../../cluster/s3/s3-file-store.ts'
import type { S3Location } from '../../cluster/s3/s3-location.ts'
import { databaseFileIn } from '../../embedded/storage/open-store.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/*
 * A backup is a folder:
 *   manifest.json          what it is of, and counts
 *   SHA256SUMS             of every other file, for `sha256sum -c` too; written last
 *   database/data.sqlite   as the embedded database has it, also where it is of a MongoDB
 *   papers/ab/HASH.pdf     as in the data folder
 *   data/                  other files of the data folder
 */
export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'
export const DATABASE_FILE = databaseFileIn('database')
export const OTHER_FILES = ['secret-key', 'first-run.txt', 'outbox']
/** A folder still being written. */
export const UNFINISHED = '.unfinished'
/** 1 had a BSON file for each collection. */
export const FORMAT = 2

export const Manifest = z.object({
  format: z.literal(FORMAT),
  assay: z.string(),
  made_at: z.iso.datetime(),
  one_moment: z.boolean(),
  documents: z.number(),
  /** `missing`: hashes referred to but absent; `damaged`: files that no longer match their hash. */
  papers: z.object({ files: z.number(), missing: z.array(z.string()), damaged: z.array(z.string()) }),
  /** Compares SECRET_KEYs without revealing them. */
  secret_key_check: z.string().nullable(),
  files: z.number(),
})
export type Manifest = z.infer<typeof Manifest>

export const checkOfSecret = (secret: string) => createHmac('sha256', secret).update('assay backup').digest('hex')

export const paperFile = (hash: string) => `papers/${hash.slice(0, 2)}/${hash}.pdf`
export const hashOfPaper = (name: string) => /^papers\/[0-9a-f]{2}\/([0-9a-f]{64})\.pdf$/.exec(name)?.[1]

/** `2026-11-24T16-51-22Z`. */
export const stampOf = (moment: Date) => `${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}

/** @throws {OperatorError} unless the store answers */
export async function openS3Papers(location: S3Location, dataDir: string): Promise<S3FileStore> {
  // Disk storage does not wait for the SDK.
  const { createS3FileStore } = await import('../../cluster/s3/s3-file-store.ts')
  const cacheFolder = join(dataDir, 'papers-cache')
  const store = createS3FileStore({ location, cacheFolder, cacheBytes: 0, log: { warn: () => {} } })
  if (await store.isReachable()) return store
  store.close()
  throw new OperatorError('The paper store that FILES_URL names cannot be reached. Nothing was done.')
}
