import { DatabaseSync } from 'node:sqlite'
import { checkpoint } from '../command-limits.ts'

interface SortedRow {
  key: Uint8Array
  rid: number
}

/** Some 10 MB; beyond that SQLite sorts in fixed memory and a file. */
const MAX_HELD = 50_000
/** To find more than these first rows, all are sorted. */
const MAX_FIRST = 20_000

export class KeySorter {
  readonly #first: number
  #rows: SortedRow[] = []
  #overflow: DatabaseSync | undefined

  constructor(first = Number.POSITIVE_INFINITY) {
    this.#first = first <= MAX_FIRST ? first : Number.POSITIVE_INFINITY
  }

  add(key: Uint8Array, rid: number): void {
    this.#rows.push({ key, rid })
    if (this.#rows.length > this.#first * 2 + 500) this.#rows = this.#rows.sort(compareRows).slice(0, this.#first)
    if (this.#rows.length > MAX_HELD) this.#spill()
  }

  #spill(): void {
    this.#overflow ??= temporaryTable()
    const insert = this.#overflow.prepare('INSERT INTO rows VALUES (?, ?)')
    for (const { key, rid } of this.#rows) insert.run(key, rid)
    this.#rows = []
  }

  *sorted(): Generator<SortedRow> {
    if (!this.#overflow) {
      yield* this.#rows.sort((a, b) => {
        checkpoint()
        return compareRows(a, b)
      })
      return
    }
    this.#spill()
    for (const { key, rid } of this.#overflow.prepare('SELECT key, rid FROM rows ORDER BY key, rid').iterate()) {
      yield { key: key as Uint8Array, rid: Number(rid) }
    }
  }

  close(): void {
    this.#overflow?.close()
  }
}

const compareRows = (a: SortedRow, b: SortedRow): number => Buffer.compare(a.key, b.key) || a.rid - b.rid

/** SQLite deletes the file of an unnamed database with the process, however it ends. */
function temporaryTable(): DatabaseSync {
  const db = new DatabaseSync('')
  db.exec('PRAGMA cache_size=-8000; PRAGMA temp_store=FILE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF')
  db.exec('BEGIN; CREATE TABLE rows (key BLOB, rid INTEGER)')
  return db
}
