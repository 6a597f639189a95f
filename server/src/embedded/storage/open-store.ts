import { chmodSync, mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Checkpointer, takeInLog, writeFirstSums } from './checkpointer.ts'
import { lockFolder } from './folder-lock.ts'
import { makeShrinkable } from './free-pages.ts'
import { explainOpenError, OpenFailure } from './open-failure.ts'
import type { PageSums } from './page-sums.ts'
import { Store, type StoreOptions } from './store.ts'
import { databaseFileIn, type StoreFiles, storeFilesOf } from './store-files.ts'
import { verifyStore } from './verify-store.ts'

/** With 2 came the checksums: a version that does not keep them must not write into a file that has them. */
export const FORMAT = 2

interface OpenFolder {
  openStore: () => Store
  release(): void
}

/** Locks a folder for this process and checks its contents before changing anything. */
export function openFolder(folder: string, options: StoreOptions): OpenFolder {
  const file = databaseFileIn(folder)
  let owner: { release(): void } | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    owner = lockFolder(folder)
    const files = storeFilesOf(file)
    const checkpointer = new Checkpointer(files, prepareFiles(files, options), options)
    return { openStore: () => new Store(file, options, checkpointer), release: owner.release }
  } catch (error) {
    owner?.release()
    throw explainOpenError(error, file, folder)
  }
}

function prepareFiles(files: StoreFiles, options: StoreOptions): PageSums {
  const state = verifyStore(files)
  if (state.kind === 'whole') {
    const { sums, log } = state
    takeInLog(files, sums, log, options.durable)
    // Closing this only connection moves the log, unless it may only read.
    assertFormat(files.main, { readOnly: false })
    return sums
  }
  if (state.kind === 'unchecked') {
    assertFormat(files.main, { readOnly: true })
    assertSound(files.main)
  }
  createTables(files.main, options)
  return writeFirstSums(files, options.durable)
}

/** One more connection to a folder that this process has opened. Whoever commits with it has the checkpointer told. */
export function openStore(folder: string, options: StoreOptions): Store {
  return new Store(databaseFileIn(folder), options)
}

function assertFormat(file: string, { readOnly }: { readOnly: boolean }): void {
  const db = new DatabaseSync(file, { readOnly, timeout: 0 })
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (version > FORMAT) {
      throw new OpenFailure('corrupt', `The database file ${file} was written by a newer version of this program.`)
    }
  } finally {
    db.close()
  }
}

/** For a file without checksums: what SQLite can find out by its structure. */
function assertSound(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    const result = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (result !== 'ok') {
      throw new OpenFailure(
        'corrupt',
        `The database file ${file} is damaged (${String(result)}). Nothing was changed; restore a backup (docs/deploy.md#backups).`,
      )
    }
  } finally {
    db.close()
  }
}

function createTables(file: string, options: StoreOptions): void {
  const store = new Store(file, options)
  try {
    // SQLite gives its auxiliary files the same permissions.
    chmodSync(file, 0o600)
    if (Number(store.prepare('PRAGMA user_version').get()?.user_version) !== FORMAT) {
      Store.createTables(store)
      store.db.exec(`PRAGMA user_version=${FORMAT}`)
    }
    makeShrinkable(store)
  } finally {
    store.close()
  }
}
