import type { mongo } from 'mongoose'
import { UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { DocumentDigest, sendable } from './bson-documents.ts'
import type { DatabaseReader, StoredCollection } from './database-reader.ts'
import { collectionNames, readIndexes } from './read-mongodb.ts'

const BATCH_DOCUMENTS = 1000
const BATCH_BYTES = 8 * 1024 * 1024

export interface Copied {
  collections: number
  documents: number
}

/**
 * Copies everything into an empty database and reads it back. Assay does not start on it before it is whole, nor if this is interrupted;
 * then the next copy begins anew.
 * @throws {OperatorError} when the database is not empty, or what it gives back differs
 */
export async function copyDatabase(from: DatabaseReader, to: mongo.Db): Promise<Copied> {
  await takeEmptyDatabase(to)
  let documents = 0
  for (const collection of from.collections) documents += await copyCollection(from, collection, to)
  await to.dropCollection(UNFINISHED_COPY)
  return { collections: from.collections.length, documents }
}

async function takeEmptyDatabase(db: mongo.Db): Promise<void> {
  const names = await collectionNames(db)
  if (names.length > 0 && !names.includes(UNFINISHED_COPY)) {
    throw new OperatorError(
      `The database ${db.databaseName} is not empty: it has ${names.length} collections, such as ${names[0]}. Name an empty one.`,
    )
  }
  if (names.length === 0) await db.createCollection(UNFINISHED_COPY)
  for (const name of names) if (name !== UNFINISHED_COPY) await db.dropCollection(name)
}

async function copyCollection(
  from: DatabaseReader,
  { name, indexes }: StoredCollection,
  to: mongo.Db,
): Promise<number> {
  await to.createCollection(name)
  const read = await insertAll(from.documents(name), to.collection(name))
  const stored = new DocumentDigest()
  // Before there are indexes: one on an expiry date would have documents deleted.
  for await (const document of to.collection(name).find({}, { raw: true })) stored.add(asBytes(document))
  if (!stored.equals(read)) {
    throw new OperatorError(
      `The copy of ${name} differs: ${read.documents} documents of ${read.bytes} bytes were written, ${stored.documents} of ${stored.bytes} were read back.`,
    )
  }
  const own = indexes.filter((index) => index.name !== '_id_')
  if (own.length > 0) await to.collection(name).createIndexes(own as mongo.IndexDescription[])
  if (describe(await readIndexes(to, name)) !== describe(indexes)) {
    throw new OperatorError(`The copy of ${name} has other indexes.`)
  }
  return read.documents
}

async function insertAll(documents: ReturnType<DatabaseReader['documents']>, to: mongo.Collection) {
  const digest = new DocumentDigest()
  let [batch, bytes]: [mongo.Document[], number] = [[], 0]
  const send = async () => {
    // The driver's types know no maps; its encoder does. It must not add an _id to one.
    if (batch.length > 0) await to.insertMany(batch, { forceServerObjectId: true, ignoreUndefined: false })
    ;[batch, bytes] = [[], 0]
  }
  for await (const document of documents) {
    if (bytes + document.length > BATCH_BYTES) await send()
    digest.add(document)
    batch.push(sendable(document))
    bytes += document.length
    if (batch.length >= BATCH_DOCUMENTS) await send()
  }
  await send()
  return digest
}

function asBytes(document: unknown): Uint8Array {
  if (document instanceof Uint8Array) return document
  throw new Error('the driver did not give the bytes of a document')
}

/** What an index does, in a text that is equal where the indexes are: servers differ in versions and in the order they tell it. */
export function describe(indexes: mongo.Document[]): string {
  const texts = indexes.map(({ v: _v, ns: _ns, background: _b, key, ...options }) =>
    JSON.stringify([key, Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))]),
  )
  return texts.sort().join('\n')
}
