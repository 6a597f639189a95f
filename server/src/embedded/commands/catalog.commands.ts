import { type Doc, encode, isDoc } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'
import { equalValues } from '../query/compare.ts'
import { compileFilter } from '../query/matcher.ts'
import { type Collection, type IndexInfo, parseIndexSpec } from '../storage/collection.ts'
import { type Command, collectionName, docOption, findCollection, namespaceOf, requireCollection } from './command.ts'

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
    return context.reply(`${context.database}.$cmd.listCollections`, docs.map(encode))
  },
}

export const create: Command = {
  kind: 'write',
  run(context) {
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
    if (!/^[^.]+\../.test(to)) throw new MongoError('InvalidNamespace', `Invalid namespace specified '${to}'`)
    if (to === collection.namespace) {
      throw new MongoError('IllegalOperation', "Can't rename a collection to itself")
    }
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
      if (!indexExists(collection, parsed)) context.store.createIndex(collection, { v: 2, ...parsed })
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
    return context.reply(collection.namespace, docs)
  },
}

export const dropIndexes: Command = {
  kind: 'write',
  run(context) {
    const collection = requireCollection(context)
    const { index: name } = context.body
    const nIndexesWas = collection.indexes.length
    const found = collection.indexes.find((index) => index.name === name)
    if (!found) throw new MongoError('IndexNotFound', `index not found with name [${String(name)}]`)
    if (found.name === '_id_') throw new MongoError('InvalidOptions', 'cannot drop _id index')
    context.store.dropIndex(collection, found)
    return { nIndexesWas, ok: 1 }
  },
}
