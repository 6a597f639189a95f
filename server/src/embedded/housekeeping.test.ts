import { expect, it } from 'vitest'
import { openTestDatabase } from './testing/test-database.ts'

it('removes expired documents only', async () => {
  const { connection, close } = await openTestDatabase({ sweepMs: 20 })
  const things = connection.collection('things')
  await things.createIndex({ at: 1 }, { expireAfterSeconds: 10 })
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  await things.insertMany([
    { name: 'old', at: ago(60) },
    { name: 'old in a list', at: [ago(60), ago(-60)] },
    { name: 'young', at: ago(1) },
    { name: 'to come', at: ago(-60) },
    { name: 'no date', at: 'yesterday' },
    { name: 'nothing' },
  ])
  await expect
    .poll(async () => (await things.find().toArray()).map((doc) => doc.name))
    .toEqual(['young', 'to come', 'no date', 'nothing'])
  await close()
})
