import { writeSync } from 'node:fs'
import { createConnection } from 'mongoose'
import { startEmbeddedDatabase } from '../embedded-database.ts'

// Prints acknowledged writes to a pipe, which outlives the process. A third argument makes it exit after that many,
// amid other writes.
const [folder = '', from = '0', exitAfter = ''] = process.argv.slice(2)
const database = await startEmbeddedDatabase({ folder })
const connection = await createConnection(database.url).asPromise()
const things = connection.getClient().db('test').collection<{ _id: number; text: string }>('things')
const counter = connection.getClient().db('test').collection<{ _id: string; n: number }>('counter')
let next = Number(from)

async function writer(): Promise<void> {
  for (;;) {
    const mine = next++
    await things.insertOne({ _id: mine, text: 'x'.repeat(mine % 3000) })
    await counter.updateOne({ _id: 'c' }, { $inc: { n: 1 } }, { upsert: true })
    writeSync(1, `${mine}\n`)
    if (exitAfter !== '' && mine === Number(from) + Number(exitAfter)) process.exit(0)
  }
}

await Promise.all(Array.from({ length: 8 }, writer))
