import { randomUUID } from 'node:crypto'
import type { mongo } from 'mongoose'
import { ONLY_A_PART, UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { DocumentDigest, sendable } from './bson-documents.ts'
import type { DatabaseReader, StoredCollection } from './database-reader.ts'
import { collectionNames, readIndexes } from './read-mongodb.ts'

const BATCH_DOCUMENTS = 1000
const BATCH_BYTES = 8 * 1024 * 1024

export interface Copied {
  collections: number
  documents: number
  /** What `markWhole` knows the copy by. */
  copyId: string
}

/**
 * Copies everything into an empty database and reads it back. Assay does not start on it before `markWhole`; if this is interrupted, the
 * next copy begins anew.
 * @throws {OperatorError} when the database is not empty, what it gives back differs, or another copy was started into it meanwhile
 */
export async function copyDatabase(from: DatabaseReader, to: mongo.Db): Promise<Copied> {
  if (from.collections.some(({ name }) => name === UNFINISHED_COPY)) throw new OperatorError(ONLY_A_PART)
  await assertEmptyOrUnfinished(to)
  const copyId = randomUUID()
  await markUnfinished(to, copyId)
  for (const name of await collectionNames(to)) if (name !== UNFINISHED_COPY) await to.dropCollection(name)
  let documents = 0
  for (const collection of from.collections) documents += await copyCollection(from, collection, to, copyId)
  await assertOurs(to, copyId)
  return { collections: from.collections.length, documents, copyId }
}

/** @throws {OperatorError} if there is anything that no interrupted copy has left */
export async function assertEmptyOrUnfinished(db: mongo.Db): Promise<void> {
  const names = await collectionNames(db)
  if (names.length === 0 || names.includes(UNFINISHED_COPY)) return
  throw new OperatorError(
    `The database ${db.databaseName} is not empty: it has ${names.length} collections, such as ${names[0]}. Name an empty one.`,
  )
}

interface Mark {
  _id: 'copy'
  by: string
}

async function markUnfinished(db: mongo.Db, copyId: string): Promise<void> {
  await db.collection<Mark>(UNFINISHED_COPY).replaceOne({ _id: 'copy' }, { by: copyId }, { upsert: true })
}

async function ownerOf(db: mongo.Db): Promise<string | undefined> {
  return (await db.collection<Mark>(UNFINISHED_COPY).findOne({ _id: 'copy' }))?.by
}

async function assertOurs(db: mongo.Db, copyId: string): Promise<void> {
  if ((await ownerOf(db)) === copyId) return
  throw new OperatorError(
    `Another restore or move into the database ${db.databaseName} was started meanwhile. Let that one finish, or stop both and start over.`,
  )
}

/**
 * From now on Assay starts on the copy. May run again.
 * @throws {OperatorError} where the copy is not
 */
export async function markWhole(db: mongo.Db, copyId: string): Promise<void> {
  const names = await collectionNames(db)
  if (names.includes(UNFINISHED_COPY) ? (await ownerOf(db)) !== copyId : names.length === 0) {
    throw new OperatorError(
      `${db.databaseName} is not the database that was filled. Set MONGODB_URL to the address that the restore was begun with, and run it again.`,
    )
  }
  await db.dropCollection(UNFINISHED_COPY)
}

async function copyCollection(
  from: DatabaseReader,
  { name, indexes }: StoredCollection,
  to: mongo.Db,
  copyId: string,
): Promise<number> {
  await assertOurs(to, copyId)
  await to.createCollection(name)
  const read = await insertAll(from.documents(name), to.collection(name), () => assertOurs(to, copyId))
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

async function insertAll(
  documents: ReturnType<DatabaseReader['documents']>,
  to: mongo.Collection,
  assertStillOurs: () => Promise<void>,
) {
  const digest = new DocumentDigest()
  let [batch, bytes]: [mongo.Document[], number] = [[], 0]
  const send = async () => {
    await assertStillOurs()
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
