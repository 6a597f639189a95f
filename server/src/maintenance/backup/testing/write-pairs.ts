import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { Int32 } from 'bson'
import { mongo } from 'mongoose'
import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts'

// For backup.slow.test.ts: counts in the first collection, then writes to the last, so that only a copy of one moment
// has equal numbers, or one less. Prints acknowledged pairs.
const [dataDir = ''] = process.argv.slice(2)
const store = await startEmbeddedDatabase({ folder: join(dataDir, 'database') })
const client = await mongo.MongoClient.connect(store.url)
const db = client.db()
await db.collection('a_counter').insertOne({ _id: new Int32(1) as never, n: 0 })
await db.collection('m_bulk').insertMany(Array.from({ length: 30_000 }, (_, n) => ({ n, text: 'x'.repeat(1000) })))
await db.createCollection('z_events')
for (let n = 1; ; n++) {
  await db.collection('a_counter').updateOne({}, { $inc: { n: 1 } })
  await db.collection('z_events').insertOne({ n })
  writeSync(1, `${n}\n`)
}
