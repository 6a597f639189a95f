import { statSync } from 'node:fs'
import type { SQLOutputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { type Doc, decode } from '../bson-values.ts'
import type { Collection } from './collection.ts'
import { databaseFileIn, explainOpenError, hasSums, lockFolder, OpenFailure } from './open-store.ts'
import { Store } from './store.ts'

interface StoreCheck {
  problems: string[]
  whole: number
  damaged: number
}

/** `accept` gives readable documents new checksums. @throws {OpenFailure} without a store or if it is in use */
export function checkStore(folder: string, accept = false): StoreCheck {
  const file = databaseFileIn(folder)
  if (!statSync(file, { throwIfNoEntry: false })?.size) {
    throw new OpenFailure('corrupt', `The database file ${file} is missing or empty.`)
  }
  const owner = lockFolder(folder)
  try {
    const store = new Store(file, { durable: true, readOnly: !accept })
    try {
      return checkFile(store, file, accept)
    } finally {
      store.close()
    }
  } catch (error) {
    throw explainOpenError(error, file, folder)
  } finally {
    owner.release()
  }
}

function checkFile(store: Store, file: string, accept: boolean): StoreCheck {
  const check: StoreCheck = { problems: [], whole: 0, damaged: 0 }
  const structure = String(store.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
  if (structure !== 'ok') check.problems.push(`SQLite finds the file unsound: ${structure}.`)
  if (!hasSums(store.db, file))
    throw new OpenFailure('unwritable', 'It is of an earlier version. Start this one first.')
  attempt(check, 'The catalog', () => store.refresh())
  for (const collection of store.allCollections()) {
    attempt(check, collection.namespace, () => checkCollection(collection, check, accept))
  }
  return check
}

function attempt({ problems }: StoreCheck, what: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    problems.push(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function checkCollection(collection: Collection, check: StoreCheck, accept: boolean): void {
  const { store, table, namespace } = collection
  const damagedBefore = check.damaged
  const indexes = collection.indexes.map((index) => ({ index, keys: 0, missing: 0 }))
  for (const row of store.iterate(`SELECT rid, doc, sum FROM ${table}`)) {
    const doc = wholeDocument(row) ?? (accept ? accepted(collection, row) : undefined)
    if (!doc) {
      check.damaged++
      check.problems.push(`A document of ${namespace} is damaged (row ${String(row.rid)}).`)
      continue
    }
    check.whole++
    for (const found of indexes) {
      const { id, makeKeys } = found.index
      const find = store.prepare(`SELECT 1 AS there FROM keys_${id} WHERE key = ? AND rid = ?`)
      for (const key of makeKeys(doc).keys) {
        found.keys++
        if (!find.get(key, Number(row.rid))) found.missing++
      }
    }
  }
  if (check.damaged > damagedBefore) return
  for (const { index, keys, missing } of indexes) {
    const { n } = store.prepare(`SELECT count(*) AS n FROM keys_${index.id}`).get() ?? {}
    if (missing > 0 || keys !== n) check.problems.push(`The index ${index.name} of ${namespace} does not match it.`)
  }
}

function wholeDocument({ doc, sum }: Record<string, SQLOutputValue>): Doc | undefined {
  return doc instanceof Uint8Array && crc32(doc) === sum ? decode(doc) : undefined
}

/** The checksum of a damaged but readable document as it is now. */
function accepted({ store, table }: Collection, { rid, doc }: Record<string, SQLOutputValue>): Doc | undefined {
  if (!(doc instanceof Uint8Array)) return undefined
  try {
    const read = decode(doc)
    store.prepare(`UPDATE ${table} SET sum = ? WHERE rid = ?`).run(crc32(doc), Number(rid))
    return read
  } catch {
    return undefined
  }
}
