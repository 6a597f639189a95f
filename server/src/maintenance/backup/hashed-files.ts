import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3FileStore } from '../../cluster/s3/s3-file-store.ts'
import type { S3Location } from '../../cluster/s3/s3-location.ts'
import { OperatorError } from '../../lib/operator-error.ts'

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Only its owner may read it. On disk for good when this resolves, absent if it fails. Returns its SHA-256. */
export async function writeNew(from: Readable, to: string): Promise<string> {
  const hash = createHash('sha256')
  // Listened to at once, as the stream may fail meanwhile.
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  from.on('data', (chunk: Uint8Array | string) => hash.update(chunk))
  try {
    await pipeline(from, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) await rm(to, { force: true })
    throw error
  }
  return hash.digest('hex')
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}

/** Puts its file names on disk for good. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
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
