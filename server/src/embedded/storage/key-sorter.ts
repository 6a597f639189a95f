import { DatabaseSync } from 'node:sqlite'
import { checkpoint } from '../command-limits.ts'

interface SortedRow {
  key: Uint8Array
  rid: number
}

/** Held in memory, some 10 MB; of more, SQLite sorts all, in memory of a fixed size and a file. */
const MAX_HELD = 50_000
/** For more than these, all are sorted. */
const MAX_FIRST = 20_000

/** Sorts any number of rows by the bytes of their keys, those with the same key by their ids. */
export class KeySorter {
  readonly #first: number
  #rows: SortedRow[] = []
  #overflow: DatabaseSync | undefined

  /** `first` is how many of the first rows are wanted. */
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

  /** All rows in order, once. */
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

function compareRows(a: SortedRow, b: SortedRow): number {
  return Buffer.compare(a.key, b.key) || a.rid - b.rid
}

/** A database without a name: its file, below `temp_store_directory`, is deleted with the process, however that ends. */
function temporaryTable(): DatabaseSync {
  const db = new DatabaseSync('')
  db.exec('PRAGMA cache_size=-8000; PRAGMA temp_store=FILE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF')
  db.exec('BEGIN; CREATE TABLE rows (key BLOB, rid INTEGER)')
  return db
}
