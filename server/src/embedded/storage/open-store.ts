import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockFolder } from './folder-lock.ts'
import { makeShrinkable } from './free-pages.ts'
import { explainOpenError, OpenFailure } from './open-failure.ts'
import { Store, type StoreOptions } from './store.ts'

const FORMAT = 1
/** Checking every page of a larger file would slow down the start; damage there is detected when the page is read. */
const CHECKED_WHOLE_BYTES = 24 * 1024 * 1024

interface OpenFolder {
  openStore: () => Store
  release(): void
}

/** Locks a folder for this process and checks its contents before changing anything. */
export function openFolder(folder: string, options: StoreOptions): OpenFolder {
  const file = join(folder, 'data.sqlite')
  let owner: { release(): void } | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    owner = lockFolder(folder)
    if (existsSync(file) && statSync(file).size > 0) checkFile(file)
    prepareFile(file, folder, options)
    return { openStore: () => new Store(file, options), release: owner.release }
  } catch (error) {
    owner?.release()
    throw explainOpenError(error, file, folder)
  }
}

function checkFile(file: string): void {
  const { size } = statSync(file)
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    if (version > FORMAT) {
      throw new OpenFailure('corrupt', `The database file ${file} was written by a newer version of this program.`)
    }
    if (size > CHECKED_WHOLE_BYTES) return
    const result = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (result !== 'ok') {
      throw new OpenFailure(
        'corrupt',
        `The database file ${file} is damaged (${String(result)}). It was left as it is; put a backup in its place, or move it away to start empty.`,
      )
    }
  } finally {
    db.close()
  }
}

function prepareFile(file: string, folder: string, options: StoreOptions): void {
  const store = new Store(file, options)
  try {
    // SQLite gives its auxiliary files the same permissions.
    chmodSync(file, 0o600)
    if (Number(store.prepare('PRAGMA user_version').get()?.user_version) === FORMAT) {
      makeShrinkable(store, folder)
      return
    }
    Store.createTables(store)
    store.db.exec(`PRAGMA user_version=${FORMAT}`)
  } finally {
    store.close()
  }
}
