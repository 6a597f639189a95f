import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { hasCode } from '../../lib/has-code.ts'
import { MongoError, sqliteCodeOf } from '../mongo-error.ts'
import { Store, type StoreOptions } from './store.ts'

/** 1 had no checksums, 2 files with one per page, 3 has one beside each document. */
const FORMAT = 3
const FORMER_FILES = ['data.sqlite-sums', 'data.sqlite-commits']
const ROWS_A_STEP = 2_000

/** Also creates or upgrades the tables. */
export function openFolder(folder: string, options: StoreOptions) {
  const file = databaseFileIn(folder)
  let owner: { release(): void } | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    owner = lockFolder(folder)
    prepareFile(file, options)
    for (const name of FORMER_FILES) rmSync(join(folder, name), { force: true })
    return { openStore: () => new Store(file, options), release: owner.release }
  } catch (error) {
    owner?.release()
    throw explainOpenError(error, file, folder)
  }
}

export function openStore(folder: string, options: StoreOptions): Store {
  return new Store(databaseFileIn(folder), options)
}

function prepareFile(file: string, options: StoreOptions): void {
  const format = sizeOf(file) === 0 ? newFormat(file) : assertFormat(file)
  if (format === FORMAT) return
  const store = new Store(file, options)
  try {
    // SQLite's auxiliary files get the same permissions.
    chmodSync(file, 0o600)
    Store.createTables(store)
    addSums(store.db)
    store.db.exec(`PRAGMA user_version=${FORMAT}`)
  } finally {
    store.close()
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** SQLite would discard a write-ahead log without its file, and the data only the log has. */
function newFormat(file: string): number {
  if (sizeOf(`${file}-wal`) === 0) return 0
  throw new OpenFailure(
    'corrupt',
    `The database file ${file} is missing or empty, but its write-ahead log is there. ${RESTORE}`,
  )
}

/** @throws {OpenFailure} */
function assertFormat(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const format = formatOf(db, file)
    // An older store is rewritten, so it has to be sound.
    const result = format === FORMAT ? 'ok' : String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check)
    if (result === 'ok') return format
    throw new OpenFailure('corrupt', `The database file ${file} is damaged (${result}). ${RESTORE}`)
  } finally {
    db.close()
  }
}

function formatOf(db: DatabaseSync, file: string): number {
  const format = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (format <= FORMAT) return format
  throw new OpenFailure('corrupt', `The database file ${file} was written by a newer version of this program.`)
}

/** @throws {OpenFailure} */
export const hasSums = (db: DatabaseSync, file: string): boolean => formatOf(db, file) === FORMAT

/** In steps, so that the log stays small. May be interrupted and repeated. */
function addSums(db: DatabaseSync): void {
  db.function('document_sum', (doc) => (doc instanceof Uint8Array ? crc32(doc) : null))
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'documents_*'").all()) {
    const table = String(name)
    const columns = db.prepare(`PRAGMA table_info(${table})`).all()
    if (!columns.some((column) => column.name === 'sum')) db.exec(`ALTER TABLE ${table} ADD COLUMN sum INTEGER`)
    const last = Number(db.prepare(`SELECT max(rid) AS rid FROM ${table}`).get()?.rid ?? 0)
    const step = db.prepare(`UPDATE ${table} SET sum = document_sum(doc) WHERE sum IS NULL AND rid > ? AND rid <= ?`)
    for (let rid = 0; rid < last; rid += ROWS_A_STEP) step.run(rid, rid + ROWS_A_STEP)
  }
}

/** The operating system holds the lock on an empty SQLite file, so it is released even if its owner is killed. */
export function lockFolder(folder: string): { release(): void } {
  const pidFile = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (sqliteCodeOf(cause) !== BUSY) throw cause
    throw new OpenFailure(
      'in_use',
      `The database in ${folder} is in use by another running process${describeOwner(pidFile)}. Stop that one first.`,
      { cause },
    )
  }
  writePid(pidFile)
  return {
    release() {
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function describeOwner(pidFile: string): string {
  try {
    return ` (pid ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}

function writePid(pidFile: string): void {
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // Only for people to read.
  }
}

export const databaseFileIn = (folder: string): string => join(folder, 'data.sqlite')

export type OpenFailureCode = 'in_use' | 'corrupt' | 'disk_full' | 'unwritable'

/** One line for the person who starts the program. */
export class OpenFailure extends Error {
  readonly code: OpenFailureCode

  constructor(code: OpenFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OpenFailure'
    this.code = code
  }
}

const RESTORE =
  'Nothing was changed; restore a backup (docs/deploy.md#backups), or let `npm run check-store` say what can be read.'

const BUSY = 5
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

export function explainOpenError(error: unknown, file: string, folder: string): OpenFailure {
  if (error instanceof OpenFailure) return error
  if (error instanceof MongoError) return new OpenFailure('corrupt', error.message)
  const primary = (sqliteCodeOf(error) ?? 0) & 0xff
  const reason = error instanceof Error ? error.message : String(error)
  const cause = { cause: error }
  if (primary === CORRUPT || primary === NOT_A_DATABASE) {
    return new OpenFailure('corrupt', `The database file ${file} is damaged (${reason}). ${RESTORE}`, cause)
  }
  if (primary === FULL || isFull(error, folder)) {
    return new OpenFailure(
      'disk_full',
      `The disk that holds ${folder} is full. Free some space and start again.`,
      cause,
    )
  }
  if (primary === BUSY)
    return new OpenFailure('in_use', `The database file ${file} is in use by another process.`, cause)
  return new OpenFailure('unwritable', `The database folder ${folder} cannot be written (${reason}).`, cause)
}

function isFull(error: unknown, folder: string): boolean {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return true
  try {
    return statfsSync(folder).bavail === 0
  } catch {
    return false
  }
}
