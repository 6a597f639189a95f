import { createConnection } from 'node:net'
import { Decimal128 } from 'bson'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

type Body = Record<string, unknown>

const find = (filter: Body, options: Body = {}): Body => ({ find: 'things', filter, ...options })
const stage = (name: string, argument: unknown = {}): Body => ({
  aggregate: 'things',
  pipeline: [{ [name]: argument }],
  cursor: {},
})
const createIndex = (key: Body, options: Body = {}): Body => ({
  createIndexes: 'things',
  indexes: [{ key, name: 'wanted', ...options }],
})
const update = (u: unknown, options: Body = {}): Body => ({ update: 'things', updates: [{ q: {}, u, ...options }] })
const collation = { locale: 'en', strength: 2 }
let database: TestDatabase
const db = () => database.connection.getClient().db('refusals')
beforeAll(async () => {
  database = await openTestDatabase()
  await db()
    .collection('things')
    .insertOne({ a: 1, list: [1], decimal: Decimal128.fromString('1.5') })
})
afterAll(() => database.close())

it.each<[string, Body]>([
  ...['$where', '$text', '$jsonSchema', '$expr'].map((name): [string, Body] => [name, find({ [name]: 'x' })]),
  ...['$size', '$all', '$mod', '$near', '$bitsAllSet'].map((name): [string, Body] => [
    name,
    find({ a: { [name]: 1 } }),
  ]),
  ['$type', find({ a: { $type: 'int' } })],
  ['invalid flag', find({ a: { $regex: 'a', $options: 'x' } })],
  ...['(?i)a', 'a++', '\\Aa', '(?>a)', '[[:alpha:]]'].map((pattern): [string, Body] => [
    'Regular expression',
    find({ a: { $regex: pattern } }),
  ]),
  ...['hint', 'min', 'returnKey', 'tailable', 'let', 'maxTimeMS'].map((name): [string, Body] => [
    name,
    find({}, { [name]: 1 }),
  ]),
  ['$natural', find({}, { sort: { $natural: 1 } })],
  ['list', find({}, { projection: { list: { $slice: 1 } } })],
  ['list.$', find({ list: 1 }, { projection: { 'list.$': 1 } })],
  ...['$lookup', '$facet', '$merge', '$out', '$sort', '$count', '$set', '$unwind', '$project', '$function'].map(
    (name): [string, Body] => [name, stage(name)],
  ),
  ['$match', { aggregate: 'things', pipeline: [{ $group: { _id: '$a' } }, { $match: {} }], cursor: {} }],
  ['$avg', stage('$group', { _id: null, mean: { $avg: '$a' } })],
  ['Decimal128', stage('$group', { _id: null, sum: { $sum: '$decimal' } })],
  ['$add', stage('$group', { _id: { $add: ['$a', 1] } })],
  ['Decimal128', find({ decimal: Decimal128.fromString('1.5') })],
  ['Decimal128', find({}, { sort: { decimal: 1 } })],
  ['$$ROOT', stage('$group', { _id: '$$ROOT' })],
  ['pipeline', update([{ $set: { a: 2 } }])],
  ...['$mul', '$bit', '$pop', '$pullAll', '$nonsense'].map((name): [string, Body] => [
    name,
    update({ [name]: { a: 1 } }),
  ]),
  ...['list.$[]', 'list.$[one]', 'list.$.$'].map((path): [string, Body] => [path, update({ $set: { [path]: 2 } })]),
  ['arrayFilters', update({ $set: { a: 2 } }, { arrayFilters: [] })],
  ['positional', update({ $set: { 'list.$': 2 } }, { q: { list: { $gt: 0 } } })],
  ['$rename', update({ $rename: { a: 'a.b' } })],
  ['$slice', update({ $push: { list: { $each: [1], $slice: 1 } } })],
  ['collation', find({}, { collation })],
  ['collation', update({ $set: { a: 2 } }, { collation })],
  ['collation', createIndex({ a: 1 }, { collation })],
  ['text', createIndex({ a: 'text' })],
  ['Wildcard', createIndex({ '$**': 1 })],
  ['hidden', createIndex({ a: 1 }, { hidden: true })],
  ...['capped', 'timeseries', 'validator', 'viewOn'].map((name): [string, Body] => [
    name,
    { create: 'others', [name]: {} },
  ]),
  ...['mapReduce', 'collMod', 'buildInfo', 'commitTransaction', 'nonsense'].map((name): [string, Body] => [
    name,
    { [name]: 'things' },
  ]),
])('refuses %s by name, and changes nothing: %j', async (word, body) => {
  const answer = await db()
    .command(body)
    .catch((error: unknown) => ({ writeErrors: [error] }))
  const [error] = answer.writeErrors ?? []
  expect(error instanceof Error ? error.message : String(error?.errmsg)).toContain(word)
  expect(
    await db()
      .collection('things')
      .find({}, { projection: { _id: 0, a: 1, list: 1 } })
      .toArray(),
  ).toEqual([{ a: 1, list: [1] }])
  expect((await db().listCollections().toArray()).map(({ name }) => name)).toEqual(['things'])
})

it('refuses transactions', async () => {
  const things = db().collection('things')
  const refused = database.connection.transaction((session) => things.insertOne({ a: 2 }, { session }))
  await expect(refused).rejects.toThrow(/[Tt]ransaction/)
  expect(await things.countDocuments()).toBe(1)
})

it('closes connections with another protocol, and continues to serve', async () => {
  const path = decodeURIComponent(database.url.split('/')[2] ?? '')
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), Buffer.alloc(64, 0xff), Buffer.alloc(64)]) {
    const socket = createConnection(path)
    socket.write(bytes)
    await new Promise((done) => socket.on('error', () => {}).once('close', done))
  }
  expect(await db().collection('things').countDocuments()).toBe(1)
})
