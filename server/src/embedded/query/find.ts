import { type Doc, decode, decodeExact } from '../bson-values.ts'
import { checkpoint, mustBeQuick, notQuick } from '../command-limits.ts'
import { fieldPicker, fieldsOfFilter, topLevel } from '../field-picker.ts'
import type { Collection, StoredDocument } from '../storage/collection.ts'
import { ExternalSort } from '../storage/external-sort.ts'
import type { IndexInfo } from '../storage/index-info.ts'
import { type Direction, sortKeyMaker } from '../storage/index-keys.ts'
import { RowSet } from '../storage/row-set.ts'
import { constraintsOf } from './constraints.ts'
import { comparesTypes, compileFilter, type MatchContext } from './matcher.ts'
import { type IndexPlan, parseSort, planQuery, planWithIndex, type SortField } from './planner.ts'

/** The access path a command insists on. */
export type Hint = { index: IndexInfo; natural?: undefined } | { natural: Direction; index?: undefined }

export interface FindSpec {
  filter: Doc
  sort?: unknown
  skip?: number
  /** 0 or absent: no limit. */
  limit?: number
  context?: MatchContext
  hint?: Hint | undefined
  /** For tests: a full scan, ignoring the indexes. */
  ignoreIndexes?: boolean
}

/** Documents in the requested order, read lazily. Do not write while iterating. */
export function* findStored(collection: Collection, spec: FindSpec): Generator<StoredDocument> {
  const order = parseSort(spec.sort)
  const skip = spec.skip ?? 0
  const limit = spec.limit ? spec.limit : Number.POSITIVE_INFINITY
  const natural = order.length === 1 && order[0]?.path === '$natural'
  const fields = natural ? [] : order
  const predicate = storedMatcher(spec)
  const plan = planFor(collection, spec, fields, limit !== Number.POSITIVE_INFINITY)
  const ordered = fields.length === 0 || plan?.sorted !== undefined
  if (ordered) {
    const backward = natural
      ? order[0]?.direction === -1
      : fields.length > 0
        ? plan?.sorted === 'backward'
        : spec.hint?.natural === -1
    yield* paged(matching(collection, spec, plan, predicate, backward), skip, limit)
    return
  }
  const first = limit === Number.POSITIVE_INFINITY ? undefined : skip + limit
  const sort = new ExternalSort({ memoryLimit: collection.store.memoryLimit, first })
  try {
    addRows(sort, matching(collection, spec, plan, predicate, false), fields)
    yield* paged(readSorted(collection, sort), skip, limit)
  } finally {
    sort.close()
  }
}

/**
 * The row ids of what `findStored` yields after its first `read` documents, where an index has them in this order; undefined where
 * documents have to be read.
 */
export function restFromIndex(collection: Collection, spec: FindSpec, read: number): Iterable<number> | undefined {
  const order = parseSort(spec.sort)
  const plan = planFor(collection, spec, order, Boolean(spec.limit))
  if (!plan?.exact || (order.length > 0 && !plan.sorted)) return undefined
  const limit = spec.limit ? spec.limit - read : Number.POSITIVE_INFINITY
  if (limit <= 0) return []
  return paged(plannedRids(collection, plan, plan.sorted === 'backward'), (spec.skip ?? 0) + read, limit)
}

/** Holds keys and row ids, not documents, so that sorting a large collection does not load it into memory. */
function addRows(sort: ExternalSort, rows: Iterable<StoredDocument>, fields: SortField[]): void {
  const keyOf = sortKeyMaker(fields)
  const read = fieldPicker(fields.map((field) => topLevel(field.path)))
  for (const row of rows) sort.add(keyOf(read(row.bytes)), row.rid)
}

function* readSorted(collection: Collection, sort: ExternalSort): Generator<StoredDocument> {
  for (const { order: rid } of sort.sorted()) {
    checkpoint()
    const bytes = collection.read(rid)
    if (bytes) yield { rid, bytes }
  }
}

/** The plan of a find, or undefined for a full scan. */
export function planFor(
  collection: Collection,
  { filter, hint, ignoreIndexes, context }: FindSpec,
  sort: SortField[],
  limited: boolean,
): IndexPlan | undefined {
  if (hint?.index) return planWithIndex(hint.index, filter, sort, context?.variables)
  if (ignoreIndexes || hint) return undefined
  return planQuery(collection, filter, sort, limited, context?.variables)
}

type BytesPredicate = (bytes: Uint8Array) => boolean

/**
 * Whether a stored document is one of those that a find returns: it matches the filter, and an index that the find insists on has it. To be
 * asked again of a document that was found earlier, as it may have changed.
 */
export function storedMatcher(spec: FindSpec): BytesPredicate {
  const matches = filterMatcher(spec)
  const index = spec.hint?.index
  if (!index?.sparse && !index?.partial) return matches
  return (bytes) => matches(bytes) && index.makeKeys(decode(bytes)).keys.length > 0
}

function filterMatcher({ filter, context }: FindSpec): BytesPredicate {
  if (Object.keys(filter).length === 0) return () => true
  const exactTypes = comparesTypes(filter)
  const test = compileFilter(filter, { ...context, exactTypes })
  if (exactTypes) return (bytes) => test(decodeExact(bytes))
  const fields = fieldsOfFilter(filter)
  const read = fields ? fieldPicker(fields) : decode
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

function* matching(
  collection: Collection,
  spec: FindSpec,
  plan: IndexPlan | undefined,
  predicate: BytesPredicate,
  backward: boolean,
): Generator<StoredDocument> {
  const rows = plan
    ? indexRows(collection, plan, backward)
    : (orRows(collection, spec) ?? allRows(collection, backward))
  for (const row of rows) {
    if (plan?.exact || predicate(row.bytes)) yield row
  }
}

function* allRows(collection: Collection, backward: boolean): Generator<StoredDocument> {
  const order = backward ? 'DESC' : 'ASC'
  const rows = collection.store.iterate(`SELECT rid, doc FROM ${collection.table} ORDER BY rid ${order}`)
  for (const row of rows) yield stored(row)
}

function stored(row: Record<string, unknown>): StoredDocument {
  const bytes = row.doc as Uint8Array
  checkpoint(bytes.length)
  return { rid: Number(row.rid), bytes }
}

function* indexRows(collection: Collection, plan: IndexPlan, backward: boolean): Generator<StoredDocument> {
  const seen = plan.repeats ? new RowSet() : undefined
  const order = backward ? 'DESC' : 'ASC'
  for (const range of plan.ranges) {
    // CROSS JOIN keeps SQLite from reordering the loops.
    const rows = collection.store.iterate(
      `SELECT k.rid AS rid, d.doc AS doc FROM keys_${plan.index.id} k CROSS JOIN ${collection.table} d ON d.rid = k.rid
       WHERE k.key >= ?${range.high ? ' AND k.key < ?' : ''} ORDER BY k.key ${order}`,
      ...(range.high ? [range.low, range.high] : [range.low]),
    )
    for (const row of rows) {
      const found = stored(row)
      if (seen && !seen.add(found.rid)) continue
      yield found
    }
  }
}

/** The union of the branches of a `$or` that all have an index, in natural order. */
function orRows(collection: Collection, spec: FindSpec): Generator<StoredDocument> | undefined {
  if (spec.ignoreIndexes || spec.hint) return undefined
  const { or } = constraintsOf(spec.filter, spec.context?.variables)
  if (!or || or.length === 0) return undefined
  const plans = or.map((branch) => planQuery(collection, branch, [], false, spec.context?.variables))
  if (plans.includes(undefined)) return undefined
  return unionRows(
    collection,
    plans.filter((plan) => plan !== undefined),
  )
}

function* unionRows(collection: Collection, plans: IndexPlan[]): Generator<StoredDocument> {
  const rids = new RowSet()
  for (const plan of plans) for (const rid of plannedRids(collection, plan)) rids.add(rid)
  for (const rid of rids) {
    checkpoint()
    const bytes = collection.read(rid)
    if (bytes) yield { rid, bytes }
  }
}

/** Each once, in the order of the index. */
function* plannedRids(collection: Collection, plan: IndexPlan, backward = false): Generator<number> {
  const seen = plan.repeats ? new RowSet() : undefined
  for (const range of plan.ranges) {
    const rows = collection.store.iterate(
      `SELECT rid FROM keys_${plan.index.id} WHERE key >= ?${range.high ? ' AND key < ?' : ''} ORDER BY key ${backward ? 'DESC' : 'ASC'}`,
      ...(range.high ? [range.low, range.high] : [range.low]),
    )
    for (const row of rows) {
      checkpoint()
      const rid = Number(row.rid)
      if (!seen || seen.add(rid)) yield rid
    }
  }
}

/** Keys that take some milliseconds to count. */
const MAX_QUICK_KEYS = 50_000

/** Counts from the index alone where its bounds are exact. */
export function countStored(collection: Collection, spec: FindSpec): number {
  const paging = spec.skip || spec.limit
  if (!paging && !spec.hint && Object.keys(spec.filter).length === 0) return collection.count()
  const plan = paging ? undefined : planFor(collection, spec, [], false)
  if (plan?.exact) {
    compileFilter(spec.filter, spec.context)
    if (plan.repeats) {
      let count = 0
      for (const _ of plannedRids(collection, plan)) count++
      return count
    }
    return plan.ranges.reduce((sum, range) => sum + countRange(collection, plan, range.low, range.high), 0)
  }
  let count = 0
  for (const _ of findStored(collection, spec)) count++
  return count
}

function countRange(collection: Collection, plan: IndexPlan, low: Buffer, high: Buffer | undefined): number {
  const where = `FROM keys_${plan.index.id} WHERE key >= ?${high ? ' AND key < ?' : ''}`
  const bounds = high ? [low, high] : [low]
  const count = (sql: string) => Number(collection.store.prepare(sql).get(...bounds)?.n ?? 0)
  checkpoint()
  if (!mustBeQuick()) return count(`SELECT count(*) AS n ${where}`)
  const quick = count(`SELECT count(*) AS n FROM (SELECT 1 ${where} LIMIT ${MAX_QUICK_KEYS + 1})`)
  if (quick > MAX_QUICK_KEYS) notQuick()
  return quick
}
