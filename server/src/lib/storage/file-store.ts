import { randomUUID } from 'node:crypto'
import { createReadStream, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { hasCode } from '../has-code.ts'
import { requireFreeDisk } from '../http/uploads.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { hashOf } from '../security/hash-of.ts'
import { syncToDisk, writeNew } from './write-file.ts'

/** By SHA-256, so the same file is stored once. */
export interface FileStore {
  /** On disk for good when this resolves. */
  store(path: string, hash: string): Promise<void>
  /** As if stored again now. False when there is no such file. */
  keep(hash: string): Promise<boolean>
  size(hash: string): Promise<number | null>
  /** `start` and `end` are bytes, both included. */
  read(hash: string, range?: { start: number; end: number }): Readable
  /** For programs that need a path. */
  localPath(hash: string): Promise<string>
  /** False, and only then, if it was stored again since that moment. */
  removeIfOlderThan(hash: string, moment: Date): Promise<boolean>
  listOlderThan(moment: Date): AsyncIterable<string>
  removePartialFiles(moment: Date): Promise<void>
}

export const isDiskFullError = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT')

/** Marks a file that is about to be deleted. */
const REMOVING = 'removing-'
const REMOVING_MS = 60_000

async function unlessMissing(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function putBack(taken: string, path: string): Promise<void> {
  await link(taken, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await rm(taken, { force: true })
}

export function createDiskFileStore(folder: string): FileStore {
  const pathOf = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('not a content hash')
    return join(folder, hash.slice(0, 2), `${hash}.pdf`)
  }
  const sizeOf = async (hash: string) => {
    try {
      return (await stat(pathOf(hash))).size
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    }
  }
  const listFileNames = () => readdir(folder, { recursive: true }).catch(() => [])
  const storedAt = async (path: string) => (await stat(path).catch(() => null))?.mtime
  /** So that no sweep deletes it before something refers to it. False where it is missing or being deleted. */
  const refresh = async (path: string) => {
    const now = new Date()
    return (await unlessMissing(utimes(path, now, now))) && (await storedAt(path)) !== undefined
  }
  const withLock = createKeyedMutex()
  return {
    store: (path, hash) =>
      withLock(hash, async () => {
        const target = pathOf(hash)
        const now = new Date()
        if (await refresh(target)) return
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await utimes(path, now, now) // The first of many files may have come in long ago.
        await syncToDisk(path)
        // Linked, then renamed: a reader never meets half a file, and two writers may race.
        const staging = `${target}.${randomUUID()}`
        await link(path, staging)
        await rename(staging, target)
        await syncToDisk(dirname(target))
      }),
    keep: (hash) => withLock(hash, async () => refresh(pathOf(hash))),
    size: sizeOf,
    read: (hash, range) => createReadStream(pathOf(hash), range),
    localPath: async (hash) => pathOf(hash),
    removeIfOlderThan: (hash, moment) =>
      withLock(hash, async () => {
        const path = pathOf(hash)
        const modified = await storedAt(path)
        if (!modified) return true
        if (modified >= moment) return false
        // Another process may store it again at any time, so it is moved away and checked again.
        const taken = `${path}.${REMOVING}${randomUUID()}`
        if (!(await unlessMissing(rename(path, taken)))) return true
        const stored = await storedAt(taken)
        if (!stored || stored < moment) {
          await rm(taken, { force: true })
          return true
        }
        await putBack(taken, path)
        return false
      }),
    async *listOlderThan(moment) {
      for (const name of await listFileNames()) {
        const hash = /([0-9a-f]{64})\.pdf$/.exec(name)?.[1]
        const modified = hash ? await storedAt(pathOf(hash)) : undefined
        if (hash && modified && modified < moment) yield hash
      }
    },
    async removePartialFiles(moment) {
      for (const name of await listFileNames()) {
        const path = join(folder, name)
        const [, ofPaper, suffix] = /^(.*[0-9a-f]{64}\.pdf)\.(.+)$/.exec(name) ?? []
        if (!ofPaper || !suffix) continue
        const found = await stat(path).catch(() => null)
        if (!found) continue
        // Moved away by a process that died before checking again: it may have been stored anew.
        if (suffix.startsWith(REMOVING)) {
          if (Date.now() - found.ctimeMs > REMOVING_MS) await putBack(path, join(folder, ofPaper))
        } else if (found.mtime < moment) await rm(path, { force: true })
      }
    },
  }
}

/** Longer than any program works on one file. */
const IN_USE_MS = 60 * 60 * 1000
const UNUSED_MS = 24 * IN_USE_MS

/** By SHA-256. @param maxBytes beyond it the least recently used go, except those used within the hour */
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
    const staging = `${pathOf(hash)}.${randomUUID()}`
    try {
      if ((await writeNew(open(), staging)) !== hash) throw new Error(`the paper store has other content under ${hash}`)
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
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Synchronous, so that no file is handed out between the check of its age and its deletion. */
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

/** @throws {AppError} `storage_full` */
export async function storeMadeFile(
  bytes: Buffer,
  { files, uploadFolder, config }: { files: FileStore; uploadFolder: string; config: { minFreeDiskBytes: number } },
): Promise<{ hash: string; size: number }> {
  const hash = hashOf(bytes)
  await requireFreeDisk(uploadFolder, config.minFreeDiskBytes, bytes.length)
  const path = join(uploadFolder, randomUUID())
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    await files.store(path, hash)
  } finally {
    await rm(path, { force: true })
  }
  return { hash, size: bytes.length }
}
