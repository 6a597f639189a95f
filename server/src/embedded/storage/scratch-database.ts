import { DatabaseSync, type StatementSync } from 'node:sqlite'

/**
 * A private database for what one command cannot hold in memory. It has no name, and its file, below `temp_store_directory`, is made only
 * when its small cache is full; the system deletes it with the process, however that ends.
 */
export class ScratchDatabase {
  readonly #db = new DatabaseSync('')

  constructor(table: string) {
    this.#db.exec('PRAGMA cache_size=-8000; PRAGMA temp_store=FILE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF')
    this.#db.exec(`BEGIN; CREATE TABLE ${table}`)
  }

  prepare(sql: string): StatementSync {
    return this.#db.prepare(sql)
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }
}
