import { createConnection } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const collation = { locale: 'en', strength: 2 }

it.each<[string, Record<string, unknown>, number]>([
  ['$where', { find: 'things', filter: { $where: 'true' } }, 115],
  ['$text', { find: 'things', filter: { $text: { $search: 'x' } } }, 115],
  ['$jsonSchema', { find: 'things', filter: { $jsonSchema: {} } }, 115],
  ['$near', { find: 'things', filter: { at: { $near: [0, 0] } } }, 115],
  ['$geoWithin', { find: 'things', filter: { at: { $geoWithin: {} } } }, 115],
  ['collation', { find: 'things', filter: {}, collation }, 115],
  ['tailable', { find: 'things', filter: {}, tailable: true }, 115],
  ['$changeStream', { aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }, 115],
  ['$geoNear', { aggregate: 'things', pipeline: [{ $geoNear: {} }], cursor: {} }, 115],
  ['$function', { find: 'things', filter: { $expr: { $function: { body: 'x', args: [], lang: 'js' } } } }, 115],
  ['capped', { create: 'capped', capped: true, size: 1000 }, 115],
  ['timeseries', { create: 'series', timeseries: { timeField: 't' } }, 115],
  ['validator', { create: 'valid', validator: { a: 1 } }, 115],
  ['text', { createIndexes: 'things', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 67],
  ['2dsphere', { createIndexes: 'things', indexes: [{ key: { a: '2dsphere' }, name: 'a' }] }, 67],
  ['mapReduce', { mapReduce: 'things' }, 115],
  ['nonsense', { nonsense: 1 }, 59],
])('refuses %s by name', async (name, command, code) => {
  const db = database.connection.getClient().db('test')
  await db.collection('things').insertOne({ a: 1 })
  await expect(db.command(command)).rejects.toMatchObject({ code, message: expect.stringContaining(name) })
})

it('closes connections with another protocol, and continues to serve', async () => {
  const path = decodeURIComponent(database.url.split('/')[2] ?? '')
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), Buffer.alloc(64, 0xff), Buffer.alloc(64)]) {
    const socket = createConnection(path)
    socket.write(bytes)
    await new Promise((done) => socket.on('error', () => {}).once('close', done))
  }
  expect(await database.connection.collection('things').countDocuments()).toBeGreaterThanOrEqual(0)
})
