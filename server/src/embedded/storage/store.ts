import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { type Doc, decode, encode } from '../bson-values.ts'
import { notQuick } from '../command-limits.ts'
import { Collection, describeIndex, type IndexInfo, parseIndexSpec } from './collection.ts'

const STATEMENT_CACHE_SIZE = 500
const MAX_QUICK_ROWS = 5_000
/** For other programs that open the file, such as `sqlite3`. */
const BUSY_MS = 2_000
/** With a longer write-ahead log, a commit moves it into the file as far as readers allow. */
const CHECKPOINT_PAGES = 1_000

export interface StoreOptions {
  durable: boolean
  /** For tests: the file size at which the disk counts as full. */
  maxPages?: number | undefined
  readOnly?: boolean
}

/** A connection with its cached catalog; each thread has its own. */
export class Store {
  readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #collections = new Map<string, Collection>()
  #catalogVersion = -1

  constructor(file: string, options: StoreOptions) {
    this.db = new DatabaseSync(file, { timeout: BUSY_MS, readOnly: options.readOnly ?? false })
    if (options.readOnly) return
    // Must precede the file's first page; on a file with pages it would wait for writers.
    if (this.prepare('PRAGMA page_count').get()?.page_count === 0) this.db.exec('PRAGMA auto_vacuum=INCREMENTAL')
    this.db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${options.durable ? 'FULL' : 'OFF'}`)
    // What undoes a savepoint may be large, so it goes to the database's disk: /tmp may be memory.
    this.db.exec(`PRAGMA temp_store=FILE; PRAGMA temp_store_directory='${dirname(file).replaceAll("'", "''")}'`)
    this.db.exec(`PRAGMA cache_size=-16000; PRAGMA mmap_size=0; PRAGMA journal_size_limit=67108864`)
    this.db.exec(`PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}`)
    if (options.maxPages !== undefined) this.db.exec(`PRAGMA max_page_count=${Math.trunc(options.maxPages)}`)
  }

  static createTables(store: Store): void {
    store.db.exec(`
      BEGIN;
      CREATE TABLE IF NOT EXISTS catalog_version (version INTEGER NOT NULL);
      INSERT INTO catalog_version SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM catalog_version);
      CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
      CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, spec BLOB NOT NULL, array_fields TEXT NOT NULL, UNIQUE (id));
      COMMIT`)
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      if (this.#statements.size >= STATEMENT_CACHE_SIZE) this.#statements.clear()
      this.#statements.set(sql, statement)
    }
    return statement
  }

  *iterate(sql: string, ...parameters: SQLInputValue[]): Generator<Record<string, SQLOutputValue>> {
    const statement = this.prepare(sql)
    this.#statements.delete(sql)
    try {
      yield* statement.iterate(...parameters)
    } finally {
      this.#statements.set(sql, statement)
    }
  }

  refresh(): void {
    const row = this.prepare('SELECT version FROM catalog_version').get()
    const version = Number(row?.version ?? 0)
    if (version === this.#catalogVersion) return
    this.#catalogVersion = version
    this.#collections = new Map()
    for (const { id, db, name } of this.prepare('SELECT id, db, name FROM collections').all()) {
      const indexes = this.#readIndexes(Number(id))
      this.#collections.set(`${db}.${name}`, new Collection(this, Number(id), String(db), String(name), indexes))
    }
  }

  clearCatalogCache(): void {
    this.#catalogVersion = -1
  }

  #readIndexes(collection: number): IndexInfo[] {
    const rows = this.prepare('SELECT id, spec, array_fields FROM indexes WHERE collection = ? ORDER BY id').all(
      collection,
    )
    return rows.map((row) =>
      describeIndex(Number(row.id), decode(row.spec as Uint8Array), JSON.parse(String(row.array_fields)) as number[]),
    )
  }

  collection(namespace: string): Collection | undefined {
    return this.#collections.get(namespace)
  }

  collectionsOf(db: string): Collection[] {
    return this.allCollections().filter(({ database }) => database === db)
  }

  allCollections(): Collection[] {
    return [...this.#collections.values()]
  }

  ensureCollection(database: string, name: string): Collection {
    const known = this.#collections.get(`${database}.${name}`)
    if (known) return known
    this.bumpCatalog()
    const id = Number(
      this.prepare('INSERT INTO collections (db, name) VALUES (?, ?)').run(database, name).lastInsertRowid,
    )
    // AUTOINCREMENT: an open cursor may hold a deleted document's row id, so none is given twice.
    this.db.exec(`CREATE TABLE documents_${id} (rid INTEGER PRIMARY KEY AUTOINCREMENT, doc BLOB NOT NULL, sum INTEGER)`)
    const collection = new Collection(this, id, database, name, [])
    this.#collections.set(`${database}.${name}`, collection)
    this.createIndex(collection, { v: 2, key: { _id: 1 }, name: '_id_' })
    return collection
  }

  createIndex(collection: Collection, spec: Doc): void {
    if (collection.lastRid() > MAX_QUICK_ROWS) notQuick()
    this.bumpCatalog()
    const id = Number(
      this.prepare('INSERT INTO indexes (collection, spec, array_fields) VALUES (?, ?, ?)').run(
        collection.id,
        encode(spec),
        '[]',
      ).lastInsertRowid,
    )
    const index = describeIndex(id, parseIndexSpec(spec), [])
    this.db.exec(
      index.unique
        ? `CREATE TABLE keys_${id} (key BLOB PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID`
        : `CREATE TABLE keys_${id} (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) WITHOUT ROWID`,
    )
    collection.buildIndex(index)
  }

  dropIndex(collection: Collection, index: IndexInfo): void {
    if (collection.lastRid() > MAX_QUICK_ROWS) notQuick()
    this.bumpCatalog()
    this.#statements.clear()
    this.prepare('DELETE FROM indexes WHERE id = ?').run(index.id)
    this.db.exec(`DROP TABLE keys_${index.id}`)
    collection.indexes = collection.indexes.filter((other) => other !== index)
  }

  dropCollection(collection: Collection): void {
    for (const index of collection.indexes) this.dropIndex(collection, index)
    this.prepare('DELETE FROM collections WHERE id = ?').run(collection.id)
    this.db.exec(`DROP TABLE documents_${collection.id}`)
    this.#collections.delete(`${collection.database}.${collection.name}`)
  }

  renameCollection(collection: Collection, database: string, name: string): void {
    this.bumpCatalog()
    this.prepare('UPDATE collections SET db = ?, name = ? WHERE id = ?').run(database, name, collection.id)
    this.clearCatalogCache()
    this.refresh()
  }

  /** In the same commit, as query plans depend on it. */
  saveArrayFields(index: IndexInfo): void {
    this.bumpCatalog()
    this.prepare('UPDATE indexes SET array_fields = ? WHERE id = ?').run(JSON.stringify(index.arrayFields), index.id)
  }

  bumpCatalog(): void {
    this.prepare('UPDATE catalog_version SET version = version + 1').run()
    this.#catalogVersion++
  }

  close(): void {
    this.#statements.clear()
    this.db.close()
  }
}
