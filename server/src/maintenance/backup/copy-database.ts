import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mongo } from 'mongoose'
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts'
import { ONLY_A_PART, UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { OperatorError } from '../../lib/operator-error.ts'

const BATCH = 200
const EXACT = { promoteValues: false, promoteLongs: false, bsonRegExp: true }

/** @throws {OperatorError} when nothing answers there */
export async function inMongodb<T>(url: string, work: (db: mongo.Db) => Promise<T>): Promise<T> {
  const client = await mongo.MongoClient.connect(url, { appName: 'assay-backup' }).catch((cause: unknown) => {
    // The driver quotes an invalid address with its password.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(url, 'the address')
    throw new OperatorError(`The MongoDB cannot be reached: ${reason}`, { cause })
  })
  try {
    return await work(client.db())
  } finally {
    await client.close()
  }
}

export async function inStore<T>(folder: string, work: (db: mongo.Db) => Promise<T>): Promise<T> {
  const store = await startEmbeddedDatabase({ folder })
  try {
    return await inMongodb(store.url, work)
  } finally {
    await store.stop()
    // The next start makes its own.
    await rm(join(folder, 'socket'), { recursive: true, force: true })
  }
}

export async function collectionNames(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found.flatMap(({ name, type }) => (type === 'view' || name.startsWith('system.') ? [] : [name])).sort()
}

const marks = (db: mongo.Db) => db.collection<{ _id: 'copy'; by: string }>(UNFINISHED_COPY)

export interface Copied {
  collections: number
  documents: number
  /** Only a replica set or a sharded cluster guarantees it. */
  oneMoment: boolean
  copyId: string
}

/**
 * Into an empty database. Assay starts on it only after `markWhole`; an interrupted copy begins again.
 * @throws {OperatorError} when it is not empty, or received other documents than were sent
 */
export async function copyDatabase(from: mongo.Db, to: mongo.Db, signal?: AbortSignal): Promise<Copied> {
  const names = await collectionNames(from)
  if (names.includes(UNFINISHED_COPY)) throw new OperatorError(ONLY_A_PART)
  await assertEmptyOrUnfinished(to)
  const copyId = randomUUID()
  await marks(to).replaceOne({ _id: 'copy' }, { by: copyId }, { upsert: true })
  for (const name of await collectionNames(to)) if (name !== UNFINISHED_COPY) await to.dropCollection(name)
  const { setName, msg } = await from.command({ hello: 1 })
  // Only replica sets and clusters have snapshots.
  const oneMoment = setName !== undefined || msg === 'isdbgrid'
  const documents = await from.client.withSession({ snapshot: oneMoment }, async (session) => {
    let copied = 0
    for (const name of names) {
      await to.createCollection(name)
      const found = from.collection(name).find({}, { ...EXACT, sort: { _id: 1 }, ...(oneMoment ? { session } : {}) })
      copied += await insertAll(found, to.collection(name), signal)
      // After the documents: an index on an expiry date would delete some.
      const indexes = await from.collection(name).listIndexes().toArray()
      const own = indexes.filter((index) => index.name !== '_id_').map(({ ns: _, ...index }) => index)
      if (own.length > 0) await to.collection(name).createIndexes(own)
    }
    return copied
  })
  return { collections: names.length, documents, oneMoment, copyId }
}

async function insertAll(from: mongo.FindCursor, to: mongo.Collection, signal?: AbortSignal): Promise<number> {
  let [sent, batch]: [number, mongo.Document[]] = [0, []]
  const send = async () => {
    signal?.throwIfAborted()
    if (batch.length > 0) await to.insertMany(batch, { forceServerObjectId: true })
    sent += batch.length
    batch = []
  }
  for await (const document of from) if (batch.push(document) === BATCH) await send()
  await send()
  const stored = await to.countDocuments()
  if (stored === sent) return sent
  throw new OperatorError(`The copy of ${to.collectionName} differs: of ${sent} documents, ${stored} are there.`)
}

/** @throws {OperatorError} if there is anything but what an interrupted copy has left */
export async function assertEmptyOrUnfinished(db: mongo.Db): Promise<void> {
  const names = await collectionNames(db)
  if (names.length === 0 || names.includes(UNFINISHED_COPY)) return
  throw new OperatorError(
    `The database ${db.databaseName} is not empty: it has ${names.length} collections, such as ${names[0]}. Name an empty one.`,
  )
}

/** Assay starts on the copy from now on. Idempotent. @throws {OperatorError} without that copy */
export async function markWhole(db: mongo.Db, copyId: string): Promise<void> {
  const names = await collectionNames(db)
  const { deletedCount } = await marks(db).deleteOne({ _id: 'copy', by: copyId })
  if (deletedCount === 0 && (names.length === 0 || names.includes(UNFINISHED_COPY)))
    throw new OperatorError(
      `${db.databaseName} is not the database that was filled, or another restore or move into it was begun since. Run the command again with the MONGODB_URL it was begun with, and no other meanwhile.`,
    )
  await db.dropCollection(UNFINISHED_COPY)
}
