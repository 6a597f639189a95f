import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Longer than any program works on one file. */
const IN_USE_MS = 60 * 60 * 1000
/** Bounds how long files deleted from the store stay here. */
const UNUSED_MS = 24 * IN_USE_MS

/**
 * Local copies of files stored elsewhere, by SHA-256.
 * @param maxBytes beyond it the least recently used go, except those used within the hour
 */
export function createFileCache(folder: string, maxBytes: number) {
  const downloads = new Map<string, Promise<string>>()
  /** Null until the folder was measured. */
  let bytes: number | null = null
  const pathOf = (hash: string) => join(folder, `${hash}.pdf`)

  function touch(hash: string): boolean {
    const now = new Date()
    try {
      utimesSync(pathOf(hash), now, now)
      return true
    } catch {
      return false
    }
  }

  async function download(hash: string, open: () => Readable): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const staging = `${pathOf(hash)}.${randomUUID()}`
    const sha256 = createHash('sha256')
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sha256.update(chunk)
        done(null, chunk)
      },
    })
    try {
      await pipeline(open(), measure, createWriteStream(staging, { flags: 'wx', mode: 0o600, flush: true }))
      if (sha256.digest('hex') !== hash) throw new Error(`the paper store has other content under ${hash}`)
      await rename(staging, pathOf(hash))
    } catch (error) {
      await rm(staging, { force: true })
      throw error
    }
    if (bytes !== null) bytes += (await stat(pathOf(hash))).size
    if (bytes === null || bytes > maxBytes) bytes = evict(folder, maxBytes)
    return pathOf(hash)
  }

  return {
    path: pathOf,
    /** Concurrent calls download it once. */
    async fetch(hash: string, open: () => Readable): Promise<string> {
      if (touch(hash)) return pathOf(hash)
      const running = downloads.get(hash) ?? download(hash, open).finally(() => downloads.delete(hash))
      downloads.set(hash, running)
      return running
    },
    async remove(hash: string): Promise<void> {
      await rm(pathOf(hash), { force: true })
    },
    sweep(): void {
      bytes = evict(folder, maxBytes)
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Synchronous, so that no file is handed out between the check of its age and its deletion. Returns the bytes left. */
function evict(folder: string, maxBytes: number): number {
  const files = namesIn(folder)
    .map((name) => ({ path: join(folder, name), found: statSync(join(folder, name), { throwIfNoEntry: false }) }))
    .flatMap(({ path, found }) => (found?.isFile() ? [{ path, size: found.size, usedAt: found.mtimeMs }] : []))
    .sort((a, b) => a.usedAt - b.usedAt)
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, usedAt } of files) {
    const unusedMs = Date.now() - usedAt
    if (unusedMs < (bytes > maxBytes ? IN_USE_MS : UNUSED_MS)) break
    rmSync(path, { force: true })
    bytes -= size
  }
  return bytes
}
