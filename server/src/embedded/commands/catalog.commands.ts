import { type Doc, encode, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { equalValues } from '../query/compare.ts'
import { compileFilter } from '../query/matcher.ts'
import type { Collection } from '../storage/collection.ts'
import { type IndexInfo, parseIndexSpec } from '../storage/index-info.ts'
import {
  type Command,
  type CommandContext,
  collectionName,
  docOption,
  findCollection,
  namespaceOf,
  rejectCollation,
  requireCollection,
} from './command.ts'
import { cursorOver } from './find.commands.ts'

export const listCollections: Command = {
  kind: 'read',
  run(context) {
    const matches = compileFilter(docOption(context.body, 'filter'))
    const docs = context.store
      .collectionsOf(context.database)
      .map((collection) => ({
        name: collection.name,
        type: 'collection',
        options: {},
        info: { readOnly: false },
        idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
      }))
      .filter(matches)
    return cursorOver(context, `${context.database}.$cmd.listCollections`, docs.map(encode), Number.POSITIVE_INFINITY)
  },
}

export const listDatabases: Command = {
  kind: 'read',
  run({ store, body }) {
    const matches = compileFilter(docOption(body, 'filter'))
    const databases = store.databases().map((name) => ({ name, sizeOnDisk: 0, empty: false }))
    return { databases: databases.filter(matches), totalSize: 0, ok: 1 }
  },
}

const UNSUPPORTED_CREATE_OPTIONS = [
  'capped',
  'timeseries',
  'viewOn',
  'validator',
  'clusteredIndex',
  'changeStreamPreAndPostImages',
]

export const create: Command = {
  kind: 'write',
  run(context) {
    rejectCollation(context.body)
    for (const option of UNSUPPORTED_CREATE_OPTIONS) {
      const value = context.body[option]
      if (!value || (isDoc(value) && Object.keys(value).length === 0)) continue
      throw new MongoError('CommandNotSupported', `create with '${option}' is not supported by the embedded database`)
    }
    if (findCollection(context)) {
      throw new MongoError('NamespaceExists', `Collection ${namespaceOf(context)} already exists.`)
    }
    context.store.ensureCollection(context.database, collectionName(context))
    return { ok: 1 }
  },
}

export const drop: Command = {
  kind: 'write',
  run(context) {
    const collection = findCollection(context)
    if (!collection) return { ok: 1 }
    const nIndexesWas = collection.indexes.length
    context.store.dropCollection(collection)
    return { nIndexesWas, ns: collection.namespace, ok: 1 }
  },
}

export const dropDatabase: Command = {
  kind: 'write',
  run({ store, database }) {
    for (const collection of store.collectionsOf(database)) store.dropCollection(collection)
    return { dropped: database, ok: 1 }
  },
}

export const renameCollection: Command = {
  kind: 'write',
  run({ store, argument, body }) {
    const collection = store.collection(String(argument))
    if (!collection) throw new MongoError('NamespaceNotFound', `Source collection ${String(argument)} does not exist`)
    const to = String(body.to)
    const existing = store.collection(to)
    if (existing && body.dropTarget !== true) throw new MongoError('NamespaceExists', 'target namespace exists')
    if (existing) store.dropCollection(existing)
    const dot = to.indexOf('.')
    store.renameCollection(collection, to.slice(0, dot), to.slice(dot + 1))
    return { ok: 1 }
  },
}

export const createIndexes: Command = {
  kind: 'write',
  run(context) {
    const existed = findCollection(context) !== undefined
    const collection = context.store.ensureCollection(context.database, collectionName(context))
    const before = collection.indexes.length
    const given: unknown[] = Array.isArray(context.body.indexes) ? context.body.indexes : []
    for (const spec of given) {
      if (!isDoc(spec)) throw new MongoError('TypeMismatch', 'each index description has to be an object')
      const parsed = parseIndexSpec(spec)
      if (!indexExists(collection, parsed))
        context.store.createIndex(collection, { v: 2, ...parsed }, context.checkpoint)
    }
    return {
      numIndexesBefore: before,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically: !existed,
      ...(collection.indexes.length === before ? { note: 'all indexes already exist' } : {}),
      ok: 1,
    }
  },
}

const OPTIONS_COMPARED = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds']

function indexExists(collection: Collection, spec: Doc): boolean {
  const sameKey = (index: IndexInfo) => JSON.stringify(index.spec.key) === JSON.stringify(spec.key)
  const sameOptions = (index: IndexInfo) =>
    OPTIONS_COMPARED.every((name) => equalValues(index.spec[name] || undefined, spec[name] || undefined))
  const named = collection.indexes.find((index) => index.name === spec.name)
  if (named && !sameKey(named)) {
    throw new MongoError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. Requested index: ${JSON.stringify(spec)}, existing index: ${JSON.stringify(named.spec)}`,
    )
  }
  const keyed = collection.indexes.find(sameKey)
  if (!keyed) return false
  if (keyed.name === '_id_') return true
  if (!sameOptions(keyed) || keyed.name !== spec.name) {
    throw new MongoError(
      keyed.name === spec.name ? 'IndexKeySpecsConflict' : 'IndexOptionsConflict',
      keyed.name === spec.name
        ? `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${JSON.stringify(spec)}, existing index: ${JSON.stringify(keyed.spec)}`
        : `Index already exists with a different name: ${keyed.name}`,
    )
  }
  return true
}

export const listIndexes: Command = {
  kind: 'read',
  run(context) {
    const collection = requireCollection(context)
    const docs = collection.indexes.map((index) => encode(index.spec))
    return cursorOver(context, collection.namespace, docs, Number.POSITIVE_INFINITY)
  },
}

export const dropIndexes: Command = {
  kind: 'write',
  run(context) {
    const collection = requireCollection(context)
    const nIndexesWas = collection.indexes.length
    for (const index of selectIndexes(context, collection)) context.store.dropIndex(collection, index)
    return { nIndexesWas, ok: 1 }
  },
}

function selectIndexes(context: CommandContext, collection: Collection): IndexInfo[] {
  const given = context.body.index
  if (given === '*') return collection.indexes.filter((index) => index.name !== '_id_')
  return (Array.isArray(given) ? given : [given]).map((wanted: unknown) => {
    const found = collection.indexes.find((index) =>
      isDoc(wanted) ? JSON.stringify(index.spec.key) === JSON.stringify(wanted) : index.name === wanted,
    )
    if (!found) throw new MongoError('IndexNotFound', `index not found with name [${String(wanted)}]`)
    if (found.name === '_id_') throw new MongoError('InvalidOptions', 'cannot drop _id index')
    return found
  })
}

/** Changes the expiry of a TTL index; other options of a collection cannot be changed. */
export const collMod: Command = {
  kind: 'write',
  run(context) {
    const collection = requireCollection(context)
    const wanted = docOption(context.body, 'index')
    const seconds = toNumber(wanted.expireAfterSeconds)
    const index = collection.indexes.find(
      (known) => known.name === wanted.name || JSON.stringify(known.spec.key) === JSON.stringify(wanted.keyPattern),
    )
    if (seconds === undefined || !index) {
      throw new MongoError(
        'CommandNotSupported',
        'collMod only changes expireAfterSeconds of an index in the embedded database',
      )
    }
    context.store.changeIndexSpec(collection, index, { ...index.spec, expireAfterSeconds: seconds })
    return { ok: 1 }
  },
}

export const collStats: Command = {
  kind: 'read',
  run(context) {
    const collection = findCollection(context)
    return {
      ns: namespaceOf(context),
      count: collection?.count() ?? 0,
      nindexes: collection?.indexes.length ?? 0,
      size: 0,
      ok: 1,
    }
  },
}

export const dbStats: Command = {
  kind: 'read',
  run({ store, database }) {
    const collections = store.collectionsOf(database)
    const objects = collections.reduce((sum, collection) => sum + collection.count(), 0)
    return { db: database, collections: collections.length, objects, ok: 1 }
  },
}
