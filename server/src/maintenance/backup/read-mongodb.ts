import { mongo } from 'mongoose'
import { OperatorError } from '../../lib/operator-error.ts'
import type { DatabaseReader, StoredCollection } from './database-reader.ts'

/** @throws {OperatorError} when nothing answers there */
export async function connectMongodb(url: string): Promise<mongo.MongoClient> {
  try {
    return await mongo.MongoClient.connect(url, { appName: 'assay-backup' })
  } catch (cause) {
    // What cannot be read as an address is quoted, with the password in it.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(url, 'the address')
    throw new OperatorError(`The MongoDB cannot be reached: ${reason}`, { cause })
  }
}

/** A MongoDB's own collections, and views, are not ours. */
export async function collectionNames(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found.flatMap(({ name, type }) => (type === 'view' || name.startsWith('system.') ? [] : [name])).sort()
}

export async function readIndexes(db: mongo.Db, collection: string): Promise<mongo.Document[]> {
  const found = await db.collection(collection).listIndexes({ promoteValues: false }).toArray()
  // Older servers name the collection in each.
  return found.map(({ ns: _, ...spec }) => spec)
}

/** Reads the database that the address names: at one moment, if the server is a replica set or a sharded cluster. */
export async function readMongodb(url: string): Promise<DatabaseReader> {
  const client = await connectMongodb(url)
  const db = client.db()
  const collections: StoredCollection[] = []
  for (const name of await collectionNames(db)) collections.push({ name, indexes: await readIndexes(db, name) })
  const oneMoment = await hasSnapshots(db)
  const session = oneMoment ? client.startSession({ snapshot: true }) : undefined
  return {
    collections,
    oneMoment,
    async *documents(collection) {
      // By _id, so that no document that moves meanwhile comes twice.
      const cursor = db
        .collection(collection)
        .find({}, { raw: true, sort: { _id: 1 }, ...(session ? { session } : {}) })
      for await (const document of cursor) {
        if (!(document instanceof Uint8Array)) throw new Error('the driver did not give the bytes of a document')
        yield document
      }
    },
    async close() {
      await session?.endSession()
      await client.close()
    },
  }
}

async function hasSnapshots(db: mongo.Db): Promise<boolean> {
  const hello = await db.command({ hello: 1 })
  return hello.setName !== undefined || hello.msg === 'isdbgrid'
}
