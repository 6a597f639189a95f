import { Long } from 'bson'
import { type Doc, decodeExact, encode, isDoc, toNumber } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { Cursor } from '../engine/cursors.ts'
import { bytesPicker, fieldPicker, topLevel } from '../field-picker.ts'
import { MongoError } from '../mongo-error.ts'
import { countStored, type FindSpec, findStored, planFor, restFromIndex, storedMatcher } from '../query/find.ts'
import { compileFilter } from '../query/matcher.ts'
import { valuesAtPath } from '../query/paths.ts'
import { parseSort } from '../query/planner.ts'
import { compileProjection, type Projection, wholeFields } from '../query/projection.ts'
import { type Collection, MAX_DOCUMENT_BYTES, type StoredDocument } from '../storage/collection.ts'
import { KeyWriter } from '../storage/key-encoding.ts'
import { Spool } from '../storage/spool.ts'
import type { Store } from '../storage/store.ts'
import { cursorReply } from '../wire/cursor-reply.ts'
import {
  type Command,
  type CommandContext,
  docOption,
  findCollection,
  namespaceOf,
  numberOption,
  type Reply,
  rejectCollation,
} from './command.ts'
import { assertOptions } from './command-options.ts'
import { hintOf } from './hint.ts'
import { variablesOf } from './variables.ts'

const FIRST_BATCH = 101
/** What a client asks for is mostly small, and asking again costs more than sending it. */
const FIRST_BATCH_BYTES = 256 * 1024

function findSpecOf(body: Doc, filterName: string, collection: Collection | undefined): FindSpec {
  rejectCollation(body)
  const variables = variablesOf(body.let)
  return {
    filter: docOption(body, filterName),
    sort: body.sort,
    skip: numberOption(body, 'skip'),
    limit: numberOption(body, 'limit'),
    hint: hintOf(collection, body),
    ...(variables ? { context: { variables } } : {}),
  }
}

function assertBatchSize(body: Doc): void {
  numberOption(body, 'batchSize')
}

export const find: Command = {
  kind: 'read',
  run(context) {
    const { body } = context
    assertBatchSize(body)
    const namespace = namespaceOf(context)
    const collection = findCollection(context)
    const spec = findSpecOf(body, 'filter', collection)
    const project = compileProjection(docOption(body, 'projection'), spec.filter)
    if (!collection) {
      compileFilter(spec.filter, spec.context)
      return cursorReply('firstBatch', [], 0n, namespace)
    }
    const send = project ? createProjector(project, docOption(body, 'projection')) : (bytes: Uint8Array) => bytes
    const size = toNumber(body.batchSize)
    const rows = findStored(collection, spec)
    const cursor = Cursor.of(namespace, encodeRows(rows, send))
    const batch = size === undefined ? cursor.nextBatch(FIRST_BATCH, FIRST_BATCH_BYTES) : cursor.nextBatch(size)
    if (body.singleBatch === true) {
      rows.return(undefined)
      return cursorReply('firstBatch', batch, 0n, namespace)
    }
    if (cursor.finished) return cursorReply('firstBatch', batch, 0n, namespace)
    // The cursor has one more ahead.
    const fromIndex = restFromIndex(collection, spec, batch.length + 1)
    // Before what may end this command: a statement that is left open reads from before whatever others write.
    if (fromIndex) rows.return(undefined)
    const rest = [...(fromIndex ?? rowIds(rows))]
    cursor.continueWith(createBatchReader(context.store, collection, rest, storedMatcher(spec), send))
    return cursorReply('firstBatch', batch, context.cursors.add(cursor), namespace)
  },
}

/** Top-level fields are copied as bytes, without decoding the document. */
function createProjector(project: Projection, spec: Doc | undefined): (bytes: Uint8Array) => Uint8Array {
  const fields = wholeFields(spec)
  const pick = fields && bytesPicker(fields)
  return (bytes) => pick?.(bytes) ?? encode(project(decodeExact(bytes)))
}

function* encodeRows(rows: Iterable<StoredDocument>, send: (bytes: Uint8Array) => Uint8Array): Generator<Uint8Array> {
  for (const row of rows) yield send(row.bytes)
}

function* rowIds(rows: Iterable<StoredDocument>): Generator<number> {
  for (const row of rows) yield row.rid
}

/**
 * No statement stays open between calls: the cursor holds row ids. It skips documents that were deleted meanwhile or no longer match; in
 * files made by earlier versions a new document may also have taken a deleted one's row.
 */
function createBatchReader(
  store: Store,
  collection: Collection,
  rest: number[],
  matches: (bytes: Uint8Array) => boolean,
  send: (bytes: Uint8Array) => Uint8Array,
) {
  let at = 0
  return () => {
    if (store.collection(collection.namespace)?.id !== collection.id) {
      throw new MongoError('QueryPlanKilled', `collection dropped or renamed: ${collection.namespace}`)
    }
    while (at < rest.length) {
      checkpoint()
      const bytes = collection.read(rest[at++] ?? 0)
      if (bytes && matches(bytes)) return send(bytes)
    }
    return undefined
  }
}

export const getMore: Command = {
  kind: 'read',
  run({ body, database, argument, cursors }) {
    const id = BigInt(String(argument))
    assertBatchSize(body)
    const asked = `${database}.${String(body.collection)}`
    const size = toNumber(body.batchSize)
    const { batch, finished, namespace } = cursors.use(id, asked, (cursor) => ({
      batch: cursor.nextBatch(size ? size : Number.POSITIVE_INFINITY),
      finished: cursor.finished,
      namespace: cursor.namespace,
    }))
    if (finished) cursors.kill(id)
    return cursorReply('nextBatch', batch, finished ? 0n : id, namespace)
  },
}

export const killCursors: Command = {
  kind: 'state',
  run({ body, cursors }) {
    const ids = Array.isArray(body.cursors) ? body.cursors.map((id: unknown) => BigInt(String(id))) : []
    const killed = ids.filter((id) => cursors.kill(id))
    const missing = ids.filter((id) => !killed.includes(id))
    const longs = (list: bigint[]) => list.map((id) => Long.fromBigInt(id))
    return {
      cursorsKilled: longs(killed),
      cursorsNotFound: longs(missing),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    }
  },
}

export const count: Command = {
  kind: 'read',
  run(context) {
    const collection = findCollection(context)
    // A negative limit means the same as a positive one.
    const limit = Math.abs(toNumber(context.body.limit) ?? 0)
    const spec = findSpecOf({ ...context.body, limit }, 'query', collection)
    return { n: collection ? countStored(collection, spec) : 0, ok: 1 }
  },
}

export const distinct: Command = {
  kind: 'read',
  run(context) {
    const collection = findCollection(context)
    const spec = findSpecOf(context.body, 'query', collection)
    const { key: path } = context.body
    if (typeof path !== 'string') {
      throw new MongoError('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'")
    }
    const read = fieldPicker([topLevel(path)])
    // Latin-1 keeps the order of the bytes, and takes less than a buffer each.
    const found = new Map<string, unknown>()
    const writer = new KeyWriter()
    let bytes = 0
    for (const row of collection ? findStored(collection, spec) : []) {
      checkpoint()
      for (const value of valuesAtPath(read(row.bytes), path).flatMap((v) => (Array.isArray(v) ? v : [v]))) {
        const key = writer.reset().add(value).finish().toString('latin1')
        if (!found.has(key)) bytes += key.length
        if (bytes > MAX_DOCUMENT_BYTES) throw new MongoError('Location17217', 'distinct too big, 16mb cap')
        found.set(key, value)
      }
    }
    const entries = [...found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return { values: entries.map(([, value]) => value), ok: 1 }
  },
}

/** Only as much as shows which index is used, and whether it answers a count without reading documents. */
export const explain: Command = {
  kind: 'read',
  run(context): Reply {
    const inner = isDoc(context.argument) ? context.argument : {}
    const [name = ''] = Object.keys(inner)
    if (!['find', 'count', 'distinct'].includes(name)) {
      throw new MongoError('CommandNotSupported', `explain of ${name} is not supported by the embedded database`)
    }
    assertOptions(name, inner)
    const collection = context.store.collection(`${context.database}.${String(inner[name])}`)
    const spec = findSpecOf(inner, name === 'find' ? 'filter' : 'query', collection)
    const plan = collection && planFor(collection, spec, parseSort(spec.sort), (spec.limit ?? 0) > 0)
    const countsKeys = name === 'count' && plan?.exact === true && !spec.skip && !spec.limit
    const winningPlan = plan
      ? {
          stage: countsKeys ? 'COUNT' : 'FETCH',
          inputStage: {
            stage: countsKeys ? 'COUNT_SCAN' : 'IXSCAN',
            indexName: plan.index.name,
            keyPattern: plan.index.spec.key,
          },
        }
      : { stage: 'COLLSCAN' }
    return { queryPlanner: { namespace: `${context.database}.${String(inner[name])}`, winningPlan }, ok: 1 }
  },
}

/** What does not fit into the first batch is computed and kept now: no statement stays open between calls. */
export function cursorOver(
  context: CommandContext,
  namespace: string,
  docs: Iterable<Uint8Array>,
  batchSize: number,
): Reply {
  const iterator = docs[Symbol.iterator]()
  const cursor = Cursor.of(namespace, { [Symbol.iterator]: () => iterator })
  const batch = cursor.nextBatch(batchSize)
  if (cursor.finished) return cursorReply('firstBatch', batch, 0n, namespace)
  const rest = new Spool(context.store.memoryLimit)
  try {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      checkpoint(next.value.length)
      rest.add(next.value)
    }
  } catch (error) {
    rest.close()
    throw error
  }
  const reader = rest.read()
  cursor.continueWith(
    () => reader.next().value ?? undefined,
    () => rest.close(),
  )
  return cursorReply('firstBatch', batch, context.cursors.add(cursor), namespace)
}
