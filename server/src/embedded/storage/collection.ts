import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { BSON } from 'bson'
import { type Doc, decode, decodeExact, isDoc, toNumber } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { type FieldPicker, fieldPicker, fieldsOfFilter, topLevel } from '../field-picker.ts'
import { damaged, MongoError } from '../mongo-error.ts'
import { valuesAtPath } from '../query/paths.ts'
import { type Direction, type IndexKeys, type IndexShape, type KeyMaker, keyMaker } from './index-keys.ts'
import { KeySorter } from './key-sorter.ts'

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

export interface StoredDocument {
  rid: number
  bytes: Uint8Array
}

interface CollectionStore {
  prepare(sql: string): StatementSync
  iterate(sql: string, ...parameters: SQLInputValue[]): Generator<Record<string, SQLOutputValue>>
  saveArrayFields(index: IndexInfo): void
}

export class Collection {
  readonly store: CollectionStore
  readonly id: number
  readonly database: string
  readonly name: string
  #indexes: IndexInfo[]
  #read: FieldPicker

  constructor(store: CollectionStore, id: number, database: string, name: string, indexes: IndexInfo[]) {
    this.store = store
    this.id = id
    this.database = database
    this.name = name
    this.#indexes = indexes
    this.#read = indexedFields(indexes)
  }

  get indexes(): IndexInfo[] {
    return this.#indexes
  }

  set indexes(indexes: IndexInfo[]) {
    this.#indexes = indexes
    this.#read = indexedFields(indexes)
  }

  get namespace(): string {
    return `${this.database}.${this.name}`
  }

  get table(): string {
    return `documents_${this.id}`
  }

  read(rid: number): Uint8Array | undefined {
    const row = this.store.prepare(`SELECT doc, sum FROM ${this.table} WHERE rid = ?`).get(rid)
    return row && checkedDocument(row, this.namespace)
  }

  all(): Generator<StoredDocument> {
    return this.documents(`SELECT rid, doc, sum FROM ${this.table} ORDER BY rid`)
  }

  *documents(sql: string, ...parameters: SQLInputValue[]): Generator<StoredDocument> {
    for (const row of this.store.iterate(sql, ...parameters)) {
      const bytes = checkedDocument(row, this.namespace)
      checkpoint(bytes.length)
      yield { rid: Number(row.rid), bytes }
    }
  }

  insert(bytes: Uint8Array): void {
    assertSize(bytes)
    checkpoint(bytes.length)
    const doc = this.#read(bytes)
    const keys = this.indexes.map((index) => index.makeKeys(doc))
    for (const [at, index] of this.indexes.entries()) this.#assertUnique(index, keys[at]?.keys ?? [], doc, undefined)
    const inserted = this.store.prepare(`INSERT INTO ${this.table} (doc, sum) VALUES (?, ?)`).run(bytes, crc32(bytes))
    const rid = Number(inserted.lastInsertRowid)
    for (const [at, index] of this.indexes.entries()) this.#addKeys(index, keys[at], rid)
  }

  replace(old: StoredDocument, bytes: Uint8Array): void {
    assertSize(bytes)
    checkpoint(bytes.length)
    const before = this.#read(old.bytes)
    const after = this.#read(bytes)
    const changes = this.indexes.map((index) => ({
      index,
      ...difference(index.makeKeys(before), index.makeKeys(after)),
    }))
    for (const { index, added } of changes) this.#assertUnique(index, added.keys, after, old.rid)
    this.store.prepare(`UPDATE ${this.table} SET doc = ?, sum = ? WHERE rid = ?`).run(bytes, crc32(bytes), old.rid)
    for (const { index, removed, added } of changes) {
      this.#removeKeys(index, removed, old.rid)
      this.#addKeys(index, added, old.rid)
    }
  }

  remove(old: StoredDocument): void {
    checkpoint(old.bytes.length)
    const doc = this.#read(old.bytes)
    for (const index of this.indexes) this.#removeKeys(index, index.makeKeys(doc).keys, old.rid)
    this.store.prepare(`DELETE FROM ${this.table} WHERE rid = ?`).run(old.rid)
  }

  /** In key order, as any other takes far longer. Throws if the documents violate the index. */
  buildIndex(index: IndexInfo): void {
    const read = indexedFields([index])
    const sorter = new KeySorter()
    const arrayFields = new Set<number>()
    try {
      for (const { rid, bytes } of this.all()) {
        const made = index.makeKeys(read(bytes))
        for (const key of made.keys) sorter.add(key, rid)
        for (const at of made.arrayFields) arrayFields.add(at)
      }
      this.#insertSorted(index, sorter)
    } finally {
      sorter.close()
    }
    this.#noteArrays(index, [...arrayFields])
    this.indexes = [...this.indexes, index]
  }

  #insertSorted(index: IndexInfo, sorter: KeySorter): void {
    const add = this.store.prepare(`INSERT INTO keys_${index.id} (key, rid) VALUES (?, ?)`)
    let before: Uint8Array | undefined
    for (const { key, rid } of sorter.sorted()) {
      checkpoint()
      if (index.unique && before && Buffer.compare(before, key) === 0) {
        throw this.#duplicate(index, decode(this.read(rid) ?? BSON.serialize({})))
      }
      add.run(key, rid)
      before = key
    }
  }

  count(): number {
    // That index has one key for each document and fewer pages, unless an `_id` is an array.
    const id = this.indexes.find((index) => index.name === '_id_' && index.arrayFields.length === 0)
    const table = id ? `keys_${id.id}` : this.table
    return Number(this.store.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0)
  }

  lastRid(): number {
    return Number(this.store.prepare(`SELECT max(rid) AS rid FROM ${this.table}`).get()?.rid ?? 0)
  }

  #assertUnique(index: IndexInfo, keys: Buffer[], doc: Doc, ownRid: number | undefined): void {
    if (!index.unique) return
    const find = this.store.prepare(`SELECT rid FROM keys_${index.id} WHERE key = ?`)
    for (const key of keys) {
      const row = find.get(key)
      if (row && Number(row.rid) !== ownRid) throw this.#duplicate(index, doc)
    }
  }

  #duplicate(index: IndexInfo, doc: Doc): MongoError {
    const keyPattern = Object.fromEntries(index.fields.map((field) => [field.path, field.direction]))
    const keyValue = Object.fromEntries(index.fields.map(({ path }) => [path, valuesAtPath(doc, path)[0] ?? null]))
    const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${display(value)}`)
    return new MongoError(
      'DuplicateKey',
      `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: { ${shown.join(', ')} }`,
      { keyPattern, keyValue },
    )
  }

  #addKeys(index: IndexInfo, made: IndexKeys | undefined, rid: number): void {
    if (!made || made.keys.length === 0) return
    const add = this.store.prepare(`INSERT INTO keys_${index.id} (key, rid) VALUES (?, ?)`)
    for (const key of made.keys) add.run(key, rid)
    this.#noteArrays(index, made.arrayFields)
  }

  #noteArrays(index: IndexInfo, arrayFields: number[]): void {
    const fresh = arrayFields.filter((at) => !index.arrayFields.includes(at))
    if (fresh.length === 0) return
    index.arrayFields = [...index.arrayFields, ...fresh]
    this.store.saveArrayFields(index)
  }

  #removeKeys(index: IndexInfo, keys: Buffer[], rid: number): void {
    const remove = this.store.prepare(`DELETE FROM keys_${index.id} WHERE key = ? AND rid = ?`)
    for (const key of keys) remove.run(key, rid)
  }
}

function indexedFields(indexes: IndexInfo[]): FieldPicker {
  const names = indexes.flatMap(({ fields, partial }) => [
    ...fields.map(({ path }) => topLevel(path)),
    ...fieldsOfFilter(partial ?? {}),
  ])
  return fieldPicker(names)
}

function difference(before: IndexKeys, after: IndexKeys): { removed: Buffer[]; added: IndexKeys } {
  const old = new Set(before.keys.map((key) => key.toString('latin1')))
  const now = new Set(after.keys.map((key) => key.toString('latin1')))
  return {
    removed: before.keys.filter((key) => !now.has(key.toString('latin1'))),
    added: { keys: after.keys.filter((key) => !old.has(key.toString('latin1'))), arrayFields: after.arrayFields },
  }
}

function assertSize(bytes: Uint8Array): void {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new MongoError(
      'BSONObjectTooLarge',
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}(16MB)`,
    )
  }
}

function display(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'ObjectId') {
    return `ObjectId('${String(value)}')`
  }
  return BSON.EJSON.stringify(value as Doc, { relaxed: true })
}

/** `_id` comes first, as in MongoDB. */
export function normaliseDocument(bytes: Uint8Array): Uint8Array {
  // The element name follows the length and one type byte.
  if (bytes[5] === 0x5f && bytes[6] === 0x69 && bytes[7] === 0x64 && bytes[8] === 0) return bytes
  const doc = decodeExact(bytes)
  if (!('_id' in doc)) return BSON.serialize({ _id: new BSON.ObjectId(), ...doc })
  const { _id, ...rest } = doc
  return BSON.serialize({ _id, ...rest })
}

/** SQLite has no checksums: this finds a lost bit when it is read. */
function checkedDocument({ doc, sum }: Record<string, SQLOutputValue>, namespace: string): Uint8Array {
  if (doc instanceof Uint8Array && crc32(doc) === sum) return doc
  throw damaged(`A document of ${namespace} is damaged: it does not match its checksum`)
}

export interface IndexInfo extends IndexShape {
  id: number
  name: string
  unique: boolean
  expireAfterSeconds: number | undefined
  /** Fields whose path crosses an array in some document. Never shrinks. */
  arrayFields: number[]
  makeKeys: KeyMaker
  spec: Doc
}

const KNOWN = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'background',
  'partialFilterExpression',
  'expireAfterSeconds',
])

export function parseIndexSpec(spec: Doc): Doc {
  if (!isDoc(spec.key) || Object.keys(spec.key).length === 0) {
    throw new MongoError('CannotCreateIndex', 'Index keys cannot be empty.')
  }
  for (const [path, kind] of Object.entries(spec.key)) {
    if (typeof kind === 'string') {
      throw new MongoError('CannotCreateIndex', `Index type '${kind}' is not supported by the embedded database`)
    }
    if (path.includes('$**')) {
      throw new MongoError('CannotCreateIndex', 'Wildcard indexes are not supported by the embedded database')
    }
    if (!toNumber(kind)) {
      throw new MongoError('CannotCreateIndex', 'Values in the index key pattern cannot be 0.')
    }
  }
  for (const option of Object.keys(spec)) {
    if (option === 'collation' && isDoc(spec.collation) && spec.collation.locale === 'simple') continue
    if (!KNOWN.has(option)) {
      throw new MongoError('InvalidOptions', `The index option '${option}' is not supported by the embedded database`)
    }
  }
  return spec
}

export function describeIndex(id: number, spec: Doc, arrayFields: number[]): IndexInfo {
  const key = spec.key as Doc
  const fields = Object.entries(key).map(([path, direction]) => ({
    path,
    direction: ((toNumber(direction) ?? 1) < 0 ? -1 : 1) as Direction,
  }))
  const shape: IndexShape = {
    fields,
    sparse: spec.sparse === true,
    partial: isDoc(spec.partialFilterExpression) ? spec.partialFilterExpression : undefined,
  }
  return {
    ...shape,
    id,
    name: String(spec.name),
    unique: spec.unique === true || spec.name === '_id_',
    expireAfterSeconds: toNumber(spec.expireAfterSeconds),
    arrayFields,
    makeKeys: keyMaker(shape),
    spec,
  }
}
