import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files of a store. SQLite's `-shm` is not among them, as SQLite makes it anew at each start. */
export interface StoreFiles {
  main: string
  /** SQLite's write-ahead log. */
  wal: string
  /** A checksum for each page of the main file (`page-sums.ts`). */
  sums: string
  /** How much of the write-ahead log was committed (`commit-record.ts`). */
  commits: string
}

export function databaseFileIn(folder: string): string {
  return join(folder, 'data.sqlite')
}

export function storeFilesOf(main: string): StoreFiles {
  return { main, wal: `${main}-wal`, sums: `${main}-sums`, commits: `${main}-commits` }
}

/** In bytes; undefined if there is no such file. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/** Makes a file's new name survive a power cut. Not every system can sync a folder, and those that cannot need not. */
export function syncFolderOf(path: string): void {
  let folder: number | undefined
  try {
    folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
  } catch {
    // As said above.
  } finally {
    if (folder !== undefined) closeSync(folder)
  }
}
