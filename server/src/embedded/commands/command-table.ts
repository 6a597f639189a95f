import { runPipeline } from '../aggregate/run-pipeline.ts'
import { type Doc, encode, isDoc } from '../bson-values.ts'
import { checkpoint } from '../command-limits.ts'
import { MongoError, notSupported } from '../mongo-error.ts'
import { equalValues } from '../query/compare.ts'
import { compileFilter } from '../query/matcher.ts'
import { type Collection, type IndexInfo, MAX_DOCUMENT_BYTES, parseIndexSpec } from '../storage/collection.ts'
import {
  assertOptions,
  type Command,
  collectionName,
  docOption,
  findCollection,
  namespaceOf,
  requireCollection,
} from './command.ts'
import { count, distinct, explain, find, getMore, killCursors } from './find.commands.ts'
import { deleteCommand, findAndModify, insert, update } from './write.commands.ts'

const FIRST_BATCH = 101

/** Everything beyond the first batch is computed now: no statement stays open between calls. */
const aggregate: Command = {
  kind: 'read',
  run(context) {
    const documents: Uint8Array[] = []
    for (const doc of runPipeline(findCollection(context), context.body.pipeline)) {
      checkpoint()
      documents.push(encode(doc))
    }
    const batch = documents.splice(0, FIRST_BATCH)
    return context.reply(namespaceOf(context), batch, documents.length > 0 ? { documents } : undefined)
  },
}

/** A MongoDB 7.0 without a replica set. */
const WIRE_VERSION = 21

const hello: Command = {
  kind: 'state',
  run: ({ name }) => ({
    helloOk: true,
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    ok: 1,
  }),
}

const done: Command = { kind: 'state', run: () => ({ ok: 1 }) }

const listCollections: Command = {
  kind: 'read',
  run(context) {
    const matches = compileFilter(docOption(context.body, 'filter'))
    const docs = context.store
      .collectionsOf(context.database)
      .map(({ name }) => ({ name, type: 'collection', options: {} }))
      .filter(matches)
    return context.reply(`${context.database}.$cmd.listCollections`, docs.map(encode))
  },
}

const create: Command = {
  kind: 'write',
  run(context) {
    if (findCollection(context)) {
      throw new MongoError('NamespaceExists', `Collection ${namespaceOf(context)} already exists.`)
    }
    context.store.ensureCollection(context.database, collectionName(context))
    return { ok: 1 }
  },
}

const drop: Command = {
  kind: 'write',
  run(context) {
    const collection = findCollection(context)
    if (!collection) return { ok: 1 }
    context.store.dropCollection(collection)
    return { ok: 1 }
  },
}

const dropDatabase: Command = {
  kind: 'write',
  run({ store, database }) {
    for (const collection of store.collectionsOf(database)) store.dropCollection(collection)
    return { dropped: database, ok: 1 }
  },
}

const renameCollection: Command = {
  kind: 'write',
  run({ store, argument, body }) {
    const collection = store.collection(String(argument))
    if (!collection) throw new MongoError('NamespaceNotFound', `Source collection ${String(argument)} does not exist`)
    const to = String(body.to)
    if (store.collection(to)) throw new MongoError('NamespaceExists', 'target namespace exists')
    const dot = to.indexOf('.')
    store.renameCollection(collection, to.slice(0, dot), to.slice(dot + 1))
    return { ok: 1 }
  },
}

const createIndexes: Command = {
  kind: 'write',
  run(context) {
    const collection = context.store.ensureCollection(context.database, collectionName(context))
    const given: unknown[] = Array.isArray(context.body.indexes) ? context.body.indexes : []
    for (const spec of given) {
      if (!isDoc(spec)) throw new MongoError('TypeMismatch', 'each index description has to be an object')
      const parsed = parseIndexSpec(spec)
      if (!indexExists(collection, parsed)) context.store.createIndex(collection, { v: 2, ...parsed })
    }
    return { ok: 1 }
  },
}

const OPTIONS_COMPARED = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds']

function indexExists(collection: Collection, spec: Doc): boolean {
  const sameKey = (index: IndexInfo) => JSON.stringify(index.spec.key) === JSON.stringify(spec.key)
  const sameOptions = (index: IndexInfo) =>
    OPTIONS_COMPARED.every((name) => equalValues(index.spec[name] || undefined, spec[name] || undefined))
  const found = collection.indexes.find((index) => index.name === spec.name || sameKey(index))
  if (!found) return false
  if (sameKey(found) && (found.name === '_id_' || (found.name === spec.name && sameOptions(found)))) return true
  const [asked, there] = [JSON.stringify(spec), JSON.stringify(found.spec)]
  throw new MongoError('IndexOptionsConflict', `The index ${asked} exists with another name, key or options: ${there}`)
}

const listIndexes: Command = {
  kind: 'read',
  run(context) {
    const collection = requireCollection(context)
    const docs = collection.indexes.map((index) => encode(index.spec))
    return context.reply(collection.namespace, docs)
  },
}

const dropIndexes: Command = {
  kind: 'write',
  run(context) {
    const collection = requireCollection(context)
    const { index: name } = context.body
    const found = collection.indexes.find((index) => index.name === name)
    if (!found) throw new MongoError('IndexNotFound', `index not found with name [${String(name)}]`)
    if (found.name === '_id_') throw new MongoError('InvalidOptions', 'cannot drop _id index')
    context.store.dropIndex(collection, found)
    return { ok: 1 }
  },
}

const COMMANDS = new Map<string, Command>(
  Object.entries({
    hello,
    ismaster: hello,
    isMaster: hello,
    ping: done,
    endSessions: done,
    find,
    getMore,
    killCursors,
    count,
    distinct,
    explain,
    aggregate,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    listCollections,
    create,
    drop,
    dropDatabase,
    renameCollection,
    createIndexes,
    listIndexes,
    dropIndexes,
  }),
)

const WITH_ANY_OPTION = new Set(['hello', 'ismaster', 'isMaster'])

export function requireCommand(name: string, body: Doc): Command {
  const command = COMMANDS.get(name)
  if (!command) throw new MongoError('CommandNotFound', `no such command: '${name}', in the embedded database`)
  if (body.autocommit === false) throw notSupported('A transaction')
  if (!WITH_ANY_OPTION.has(name)) assertOptions(name, body)
  return command
}
