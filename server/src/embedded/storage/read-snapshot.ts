import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Doc, decodeExact } from '../bson-values.ts'
import { checkedDocument } from './document-sum.ts'
import { explainOpenError, OpenFailure } from './open-failure.ts'
import { hasSums } from './open-store.ts'
import { databaseFileIn } from './store-files.ts'

/** What a store held at one moment. */
export interface FolderSnapshot {
  collections: { name: string; indexes: Doc[] }[]
  documents(collection: string): Iterable<Uint8Array>
  close(): void
}

const BUSY_WAIT_MS = 10_000

/**
 * Opens a store's folder for reading, whether or not a process serves it. The read transaction sees what was committed when this was
 * called, however long it is open, and holds nobody up: only the file beside the database cannot shrink meanwhile. Writes nothing.
 * @throws {OpenFailure}
 */
export function openSnapshot(folder: string, database: string): FolderSnapshot {
  const file = databaseFileIn(folder)
  let db: DatabaseSync | undefined
  try {
    if (!existsSync(file) || statSync(file).size === 0) {
      throw new OpenFailure('corrupt', `There is no database in ${folder}: data.sqlite is missing or empty.`)
    }
    db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_WAIT_MS })
    // The first read, not BEGIN, takes the moment.
    db.exec('BEGIN')
    return readCatalog(db, database, hasSums(db, file), (error) => explainOpenError(error, file, folder))
  } catch (error) {
    db?.close()
    throw explainOpenError(error, file, folder)
  }
}

function readCatalog(
  db: DatabaseSync,
  database: string,
  checked: boolean,
  explain: (error: unknown) => Error,
): FolderSnapshot {
  const rows = db.prepare('SELECT id, name FROM collections WHERE db = ? ORDER BY name').all(database)
  const indexes = db.prepare('SELECT spec FROM indexes WHERE collection = ? ORDER BY id')
  const tables = new Map(rows.map(({ id, name }) => [String(name), `documents_${Number(id)}`]))
  return {
    collections: rows.map(({ id, name }) => ({
      name: String(name),
      indexes: indexes.all(Number(id)).map(({ spec }) => decodeExact(spec as Uint8Array)),
    })),
    *documents(collection) {
      const table = tables.get(collection)
      if (table === undefined) return
      try {
        for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY rid`).iterate()) {
          yield checked ? checkedDocument(row, collection) : (row.doc as Uint8Array)
        }
      } catch (error) {
        throw explain(error)
      }
    },
    close: () => db.close(),
  }
}
