import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../has-code.ts'

/** For its owner only; synced when this resolves, absent if it fails. @returns its SHA-256 */
export async function writeNew(from: Readable, to: string): Promise<string> {
  const hash = createHash('sha256')
  // The stream may fail while the file is opened.
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

/** A file's content, or a folder's names. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
