import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where papers are kept, by the sha256 of their content: the same file twice is stored once. */
export interface FileStore {
  /** Moves a received file in. It is on disk for good when this resolves. */
  keep(path: string, hash: string): Promise<void>
  /** Bytes; null when nothing is kept under the hash. */
  size(hash: string): Promise<number | null>
  /** `start` and `end` are bytes, both included. */
  read(hash: string, range?: { start: number; end: number }): Readable
  /** A path to the content for programs that want one. */
  localPath(hash: string): Promise<string>
  remove(hash: string): Promise<void>
  /** Hashes of what was last kept before a moment. */
  olderThan(moment: Date): AsyncIterable<string>
}

/** True when a file could not be written for want of room: the disk's, or our share of it. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function createDiskStore(folder: string): FileStore {
  const pathOf = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('not a content hash')
    return join(folder, hash.slice(0, 2), `${hash}.pdf`)
  }
  const sizeOf = async (hash: string) => {
    try {
      return (await stat(pathOf(hash))).size
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }
  return {
    async keep(path, hash) {
      const target = pathOf(hash)
      if ((await sizeOf(hash)) !== null) {
        const now = new Date()
        await utimes(target, now, now) // Young again, so that no sweep takes it before it is referred to.
        return
      }
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await sync(path)
      // Linked under a second name, then renamed: a reader never meets half a file, and two keepers may race.
      const staging = `${target}.${process.pid}.${Date.now()}`
      await link(path, staging)
      await rename(staging, target)
      await sync(dirname(target))
    },
    size: sizeOf,
    read: (hash, range) => createReadStream(pathOf(hash), range),
    localPath: async (hash) => pathOf(hash),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    async *olderThan(moment) {
      const names = await readdir(folder, { recursive: true }).catch(() => [])
      for (const name of names) {
        const hash = /([0-9a-f]{64})\.pdf$/.exec(name)?.[1]
        const kept = hash ? await stat(pathOf(hash)).catch(() => null) : null
        if (hash && kept && kept.mtime < moment) yield hash
      }
    },
  }
}
