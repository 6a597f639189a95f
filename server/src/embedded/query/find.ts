import type { Doc } from '../bson-values.ts'
import { checkpoint, mustBeQuick, notQuick } from '../command-limits.ts'
import { fieldPicker, fieldsOfFilter, topLevel } from '../field-picker.ts'
import type { Collection, StoredDocument } from '../storage/collection.ts'
import { sortKeyMaker } from '../storage/index-keys.ts'
import { KeySorter } from '../storage/key-sorter.ts'
import { constraintsOf } from './constraints.ts'
import { compileFilter } from './matcher.ts'
import { type IndexPlan, type KeyRange, parseSort, planQuery, type SortField } from './planner.ts'

export interface FindSpec {
  filter: Doc
  sort?: unknown
  skip?: number
  limit?: number
  ignoreIndexes?: boolean
}

/** Lazily, in the requested order. Do not write while iterating. */
export function* findStored(collection: Collection, spec: FindSpec): Generator<StoredDocument> {
  const fields = parseSort(spec.sort)
  const skip = spec.skip ?? 0
  const limit = spec.limit ? spec.limit : Number.POSITIVE_INFINITY
  const plan = planFor(collection, spec, fields)
  if (fields.length === 0 || plan?.sorted !== undefined) {
    yield* paged(matching(collection, spec, plan, plan?.sorted === 'backward'), skip, limit)
    return
  }
  const sorter = new KeySorter(skip + limit)
  try {
    addRows(sorter, matching(collection, spec, plan, false), fields)
    yield* paged(readSorted(collection, sorter), skip, limit)
  } finally {
    sorter.close()
  }
}

/** Row ids of what `findStored` yields after `read` documents; undefined where no index has this order. */
export function restFromIndex(collection: Collection, spec: FindSpec, read: number): Iterable<number> | undefined {
  const order = parseSort(spec.sort)
  const plan = planFor(collection, spec, order)
  if (!plan?.exact || (order.length > 0 && !plan.sorted)) return undefined
  const limit = spec.limit ? spec.limit - read : Number.POSITIVE_INFINITY
  if (limit <= 0) return []
  return paged(plannedRids(collection, plan, plan.sorted === 'backward'), (spec.skip ?? 0) + read, limit)
}

/** Keys and row ids only, so that sorting does not load a large collection into memory. */
function addRows(sorter: KeySorter, rows: Iterable<StoredDocument>, fields: SortField[]): void {
  const keyOf = sortKeyMaker(fields)
  const read = fieldPicker(fields.map((field) => topLevel(field.path)))
  for (const row of rows) sorter.add(keyOf(read(row.bytes)), row.rid)
}

function* readSorted(collection: Collection, sorter: KeySorter): Generator<StoredDocument> {
  for (const { rid } of sorter.sorted()) yield* readRow(collection, rid)
}

function* readRow(collection: Collection, rid: number): Generator<StoredDocument> {
  checkpoint()
  const bytes = collection.read(rid)
  if (bytes) yield { rid, bytes }
}

export function planFor(collection: Collection, { filter, limit, ignoreIndexes }: FindSpec, sort: SortField[]) {
  return ignoreIndexes ? undefined : planQuery(collection, filter, sort, Boolean(limit))
}

/** To be asked again of a document found earlier, as it may have changed. */
export function storedMatcher(filter: Doc): (bytes: Uint8Array) => boolean {
  const test = compileFilter(filter)
  if (Object.keys(filter).length === 0) return () => true
  const read = fieldPicker(fieldsOfFilter(filter))
  return (bytes) => test(read(bytes))
}

function* paged<T>(rows: Iterable<T>, skip: number, limit: number): Generator<T> {
  let seen = 0
  for (const row of rows) {
    if (seen++ < skip) continue
    yield row
    if (seen - skip >= limit) return
  }
}

function* matching(collection: Collection, spec: FindSpec, plan: IndexPlan | undefined, backward: boolean) {
  const matches = storedMatcher(spec.filter)
  const rows = plan ? indexRows(collection, plan, backward) : (orRows(collection, spec) ?? collection.all())
  for (const row of rows) {
    if (plan?.exact || matches(row.bytes)) yield row
  }
}

function* indexRows(collection: Collection, plan: IndexPlan, backward: boolean): Generator<StoredDocument> {
  const seen = plan.repeats ? new Set<number>() : undefined
  for (const range of plan.ranges) {
    // CROSS JOIN keeps SQLite from reordering the loops.
    const { where, bounds } = within(range)
    const rows = collection.documents(
      `SELECT d.rid AS rid, d.doc AS doc, d.sum AS sum FROM keys_${plan.index.id} k CROSS JOIN ${collection.table} d ON d.rid = k.rid
       WHERE ${where} ORDER BY key ${backward ? 'DESC' : 'ASC'}`,
      ...bounds,
    )
    for (const row of rows) if (isFirst(seen, row.rid)) yield row
  }
}

/** A condition on `key`, with its parameters. */
const within = ({ low, high }: KeyRange) =>
  high ? { where: 'key >= ? AND key < ?', bounds: [low, high] } : { where: 'key >= ?', bounds: [low] }

function isFirst(seen: Set<number> | undefined, rid: number): boolean {
  if (seen?.has(rid)) return false
  seen?.add(rid)
  return true
}

function orRows(collection: Collection, spec: FindSpec): Generator<StoredDocument> | undefined {
  const { or } = constraintsOf(spec.filter)
  if (spec.ignoreIndexes || !or || or.length === 0) return undefined
  const plans = or.map((branch) => planQuery(collection, branch, [], false)).filter((plan) => plan !== undefined)
  return plans.length === or.length ? unionRows(collection, plans) : undefined
}

function* unionRows(collection: Collection, plans: IndexPlan[]): Generator<StoredDocument> {
  const rids = new Set<number>()
  for (const plan of plans) for (const rid of plannedRids(collection, plan)) rids.add(rid)
  for (const rid of [...rids].sort((a, b) => a - b)) yield* readRow(collection, rid)
}

/** Without repeats, in the index's order. */
function* plannedRids(collection: Collection, plan: IndexPlan, backward = false): Generator<number> {
  const seen = plan.repeats ? new Set<number>() : undefined
  for (const range of plan.ranges) {
    const { where, bounds } = within(range)
    const sql = `SELECT rid FROM keys_${plan.index.id} WHERE ${where} ORDER BY key ${backward ? 'DESC' : 'ASC'}`
    for (const row of collection.store.iterate(sql, ...bounds)) {
      checkpoint()
      const rid = Number(row.rid)
      if (isFirst(seen, rid)) yield rid
    }
  }
}

const MAX_QUICK_KEYS = 50_000

export function countStored(collection: Collection, spec: FindSpec): number {
  const paging = spec.skip || spec.limit
  if (!paging && Object.keys(spec.filter).length === 0) return collection.count()
  compileFilter(spec.filter)
  const plan = paging ? undefined : planFor(collection, spec, [])
  if (plan?.exact && !plan.repeats) {
    return plan.ranges.reduce((sum, range) => sum + countRange(collection, plan, range), 0)
  }
  let count = 0
  for (const _ of plan?.exact ? plannedRids(collection, plan) : findStored(collection, spec)) count++
  return count
}

function countRange(collection: Collection, plan: IndexPlan, range: KeyRange): number {
  const { where, bounds } = within(range)
  const keys = `FROM keys_${plan.index.id} WHERE ${where}`
  const count = (sql: string) => Number(collection.store.prepare(sql).get(...bounds)?.n ?? 0)
  checkpoint()
  if (!mustBeQuick()) return count(`SELECT count(*) AS n ${keys}`)
  const quick = count(`SELECT count(*) AS n FROM (SELECT 1 ${keys} LIMIT ${MAX_QUICK_KEYS + 1})`)
  if (quick > MAX_QUICK_KEYS) notQuick()
  return quick
}

const BYTES_HELD = 4 * 1024 * 1024

/** Finds all before yielding, as changes may move documents in the scanned index. Holds the first few, then row ids. */
export function* rowsToChange(collection: Collection, spec: FindSpec): Generator<StoredDocument> {
  const held: StoredDocument[] = []
  const others: number[] = []
  let bytes = 0
  for (const row of findStored(collection, spec)) {
    bytes += row.bytes.length
    if (bytes <= BYTES_HELD || held.length === 0) held.push(row)
    else others.push(row.rid)
  }
  yield* held
  held.length = 0
  for (const rid of others) yield* readRow(collection, rid)
}
