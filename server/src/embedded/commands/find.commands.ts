import { Long } from 'bson'
import { type Doc, decodeExact, encode, isDoc } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { Batch } from '../engine/cursors.ts'
import { bytesPicker, fieldPicker, topLevel } from '../field-picker.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { countStored, type FindSpec, findStored, planFor, restFromIndex, storedMatcher } from '../query/find.ts'
import { valuesAtPath } from '../query/paths.ts'
import { parseSort } from '../query/planner.ts'
import { compileProjection, wholeFields } from '../query/projection.ts'
import { MAX_DOCUMENT_BYTES } from '../storage/collection.ts'
import { KeyWriter } from '../storage/key-encoding.ts'
import { cursorReply } from '../wire/cursor-reply.ts'
import {
  assertOptions,
  type Command,
  type CommandContext,
  docOption,
  findCollection,
  namespaceOf,
  numberOption,
  type Rest,
} from './command.ts'

const FIRST_BATCH = 101
/** Clients mostly ask for little, and another request costs more than sending this much. */
const FIRST_BATCH_BYTES = 256 * 1024
/** Others wait for the same thread. */
const BATCH_MS = 20

function findSpecOf(body: Doc, filterName: string): FindSpec {
  return {
    filter: docOption(body, filterName),
    sort: body.sort,
    skip: numberOption(body, 'skip'),
    limit: numberOption(body, 'limit'),
  }
}

export const find: Command = {
  kind: 'read',
  run(context) {
    const { body } = context
    const size = body.batchSize === undefined ? undefined : numberOption(body, 'batchSize')
    const namespace = namespaceOf(context)
    const collection = findCollection(context)
    const spec = findSpecOf(body, 'filter')
    storedMatcher(spec.filter)
    const send = senderFor(body)
    if (!collection) return context.reply(namespace, [])
    const batch = new Batch(size ?? FIRST_BATCH, size === undefined ? FIRST_BATCH_BYTES : 0)
    const rows = findStored(collection, spec)
    let next = rows.next()
    while (!next.done && batch.add(send(next.value.bytes))) next = rows.next()
    if (next.done || body.singleBatch === true) {
      rows.return(undefined)
      return context.reply(namespace, batch.documents)
    }
    const fromIndex = restFromIndex(collection, spec, batch.documents.length)
    // Before anything that may end this command: an open statement would read an old state.
    if (fromIndex) rows.return(undefined)
    return context.reply(namespace, batch.documents, {
      rids: fromIndex ? [...fromIndex] : [next.value.rid, ...Array.from(rows, ({ rid }) => rid)],
    })
  },
}

/** Top-level fields are copied as bytes, without decoding. */
function senderFor(body: Doc): (bytes: Uint8Array) => Uint8Array {
  const spec = docOption(body, 'projection')
  const project = compileProjection(spec)
  if (!project) return (bytes) => bytes
  const fields = wholeFields(spec)
  const pick = fields && bytesPicker(fields)
  return (bytes) => pick?.(bytes) ?? encode(project(decodeExact(bytes)))
}

/** No statement stays open between calls: a find leaves row ids. Documents changed meanwhile are skipped. */
export function restReader(context: CommandContext, rest: Rest): () => Uint8Array | undefined {
  let at = 0
  if ('documents' in rest) return () => rest.documents[at++]
  const { store, body } = context
  const namespace = namespaceOf(context)
  const collection = findCollection(context)
  const matches = storedMatcher(docOption(body, 'filter'))
  const send = senderFor(body)
  return () => {
    if (!collection || store.collection(namespace)?.id !== collection.id) {
      throw new MongoError('QueryPlanKilled', `collection dropped or renamed: ${namespace}`)
    }
    while (at < rest.rids.length) {
      const bytes = collection.read(rest.rids[at++] ?? 0)
      if (bytes && matches(bytes)) return send(bytes)
    }
    return undefined
  }
}

export const getMore: Command = {
  kind: 'read',
  run({ body, database, argument, cursors }) {
    const id = BigInt(String(argument))
    const size = numberOption(body, 'batchSize') || Number.POSITIVE_INFINITY
    const namespace = `${database}.${String(body.collection)}`
    const { batch, finished } = cursors.use(id, (cursor) => ({
      batch: cursor.nextBatch(size, performance.now() + BATCH_MS),
      finished: cursor.finished,
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
    return { cursorsKilled: killed.map((id) => Long.fromBigInt(id)), ok: 1 }
  },
}

export const count: Command = {
  kind: 'read',
  run(context) {
    const collection = findCollection(context)
    const spec = findSpecOf(context.body, 'query')
    return { n: collection ? countStored(collection, spec) : 0, ok: 1 }
  },
}

export const distinct: Command = {
  kind: 'read',
  run(context) {
    const collection = findCollection(context)
    const spec = findSpecOf(context.body, 'query')
    const { key: path } = context.body
    if (typeof path !== 'string') {
      throw new MongoError('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'")
    }
    const read = fieldPicker([topLevel(path)])
    // Latin-1 keeps the bytes' order and takes less memory than a buffer each.
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

export const explain: Command = {
  kind: 'read',
  run({ store, database, argument }) {
    const inner = isDoc(argument) ? argument : {}
    const [name = ''] = Object.keys(inner)
    if (!['find', 'count', 'distinct'].includes(name)) throw notSupported(`explain of ${name}`)
    assertOptions(name, inner)
    const namespace = `${database}.${String(inner[name])}`
    const collection = store.collection(namespace)
    const spec = findSpecOf(inner, name === 'find' ? 'filter' : 'query')
    const plan = collection && planFor(collection, spec, parseSort(spec.sort))
    if (!plan) return { queryPlanner: { namespace, winningPlan: { stage: 'COLLSCAN' } }, ok: 1 }
    const countsKeys = name === 'count' && plan.exact && !spec.skip && !spec.limit
    const [stage, scan] = countsKeys ? ['COUNT', 'COUNT_SCAN'] : ['FETCH', 'IXSCAN']
    const inputStage = { stage: scan, indexName: plan.index.name, keyPattern: plan.index.spec.key }
    return { queryPlanner: { namespace, winningPlan: { stage, inputStage } }, ok: 1 }
  },
}
