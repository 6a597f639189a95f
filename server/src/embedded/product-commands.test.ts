import { Binary, type BSON, ObjectId } from 'bson'
import { Schema } from 'mongoose'
import { expect, it } from 'vitest'
import { onEveryServer, type Row } from './testing/on-every-server.ts'
import { openTestDatabase } from './testing/test-database.ts'

// Each kind of command that the product and its data tools send, with MongoDB's answer. All others are refused by name
// (refusals.test.ts). Who sends a new kind adds it.

const early = new Date('2026-01-01T00:00:00Z')
const late = new Date('2026-06-01T00:00:00Z')

const PAPERS: Row[] = [
  {
    _id: 1,
    course: 7,
    status: 'graded',
    at: early,
    grade: { score: 4, released: true },
    file: { hash: 'a', size: 10 },
    owners: [5],
  },
  {
    _id: 2,
    course: 7,
    status: 'graded',
    at: late,
    grade: { score: 2.5, released: false },
    file: { hash: 'b', size: 20 },
    owners: [5, 6],
  },
  {
    _id: 3,
    course: 7,
    status: 'failed',
    at: late,
    grade: null,
    file: { hash: 'a', size: 10 },
    owners: [],
    note: 'Ärger',
  },
  {
    _id: 4,
    course: 8,
    status: 'queued',
    at: null,
    attempts: [
      { by: 5, n: 1 },
      { by: 6, n: 2 },
    ],
    note: 'a.b',
  },
  { _id: 5, course: 8, status: 'queued', attempts: [{ by: 6, n: 3 }], note: '' },
]

const FILTERS: [string, object, number[]][] = [
  ['nothing', {}, [1, 2, 3, 4, 5]],
  ['a value', { course: 8 }, [4, 5]],
  ['a field of a document', { 'grade.released': false }, [2]],
  ['null, which is a missing field too', { at: null }, [4, 5]],
  ['an element of a list', { owners: 6 }, [2]],
  ['a field of a list’s elements', { 'attempts.by': 6 }, [4, 5]],
  ['an element by its number', { 'owners.1': { $exists: true } }, [2]],
  ['$in', { status: { $in: ['failed', 'queued'] } }, [3, 4, 5]],
  ['$in with null', { 'grade.score': { $in: [4, null] } }, [1, 3, 4, 5]],
  ['$in of nothing', { _id: { $in: [] } }, []],
  ['$nin', { status: { $nin: ['failed', 'queued'] } }, [1, 2]],
  ['$ne', { 'grade.released': { $ne: true } }, [2, 3, 4, 5]],
  ['$ne null', { at: { $ne: null } }, [1, 2, 3]],
  ['a range of dates', { at: { $gt: early, $lte: late } }, [2, 3]],
  ['a range of numbers', { _id: { $gte: 2, $lt: 4 } }, [2, 3]],
  ['a range, only of its type', { note: { $gt: 3 } }, []],
  ['$exists', { note: { $exists: false } }, [1, 2]],
  ['$exists and $ne', { note: { $exists: true, $ne: '' } }, [3, 4]],
  ['$type', { note: { $type: 'string' } }, [3, 4, 5]],
  ['$not', { 'grade.score': { $not: { $gt: 3 } } }, [2, 3, 4, 5]],
  ['$elemMatch within $not', { owners: { $in: [5], $not: { $elemMatch: { $nin: [5] } } } }, [1]],
  ['$elemMatch', { attempts: { $elemMatch: { by: 6, n: { $gt: 2 } } } }, [5]],
  ['$or', { course: 7, $or: [{ status: 'failed' }, { at: { $lte: early } }] }, [1, 3]],
  ['$and', { $and: [{ note: { $exists: true } }, {}, { course: 8 }] }, [4, 5]],
  ['$nor', { $nor: [{ status: { $in: ['graded'] }, course: { $nin: [8] } }] }, [3, 4, 5]],
  ['a regular expression', { note: /^ä.*er$/i }, [3]],
  ['a literal in a regular expression', { note: /a\.b/i }, [4]],
  ['$regex', { note: { $regex: '^a\\.(b|c)' } }, [4]],
]

const UPDATES: [string, object, Record<string, unknown>, object][] = [
  ['$set', { _id: 1 }, { $set: { status: 'failed', 'grade.score': 1 } }, { status: 'failed', 'grade.score': 1 }],
  ['$unset', { _id: 1 }, { $unset: { grade: '' } }, { grade: undefined }],
  ['$inc', { _id: 1 }, { $inc: { 'grade.score': 1, times: 2 } }, { 'grade.score': 5, times: 2 }],
  ['$max of a smaller date', { _id: 2 }, { $max: { at: early } }, { at: late }],
  ['$max of a missing field', { _id: 5 }, { $max: { at: early } }, { at: early }],
  ['$min', { _id: 2 }, { $min: { at: early } }, { at: early }],
  ['$push', { _id: 4 }, { $push: { attempts: { by: 7 } } }, { 'attempts.2': { by: 7 } }],
  ['$push to a missing list', { _id: 1 }, { $push: { attempts: { by: 7 } } }, { attempts: [{ by: 7 }] }],
  ['$addToSet', { _id: 2 }, { $addToSet: { owners: 6 } }, { owners: [5, 6] }],
  ['$addToSet with $each', { _id: 2 }, { $addToSet: { owners: { $each: [6, 9] } } }, { owners: [5, 6, 9] }],
  ['$pull of a value', { _id: 2 }, { $pull: { owners: 5 } }, { owners: [6] }],
  ['$pull by a condition', { _id: 4 }, { $pull: { attempts: { by: { $in: [5] } } } }, { attempts: [{ by: 6, n: 2 }] }],
  [
    '$rename',
    { _id: 3 },
    { $rename: { note: 'remark', 'file.size': 'file.bytes' } },
    { note: undefined, remark: 'Ärger', file: { hash: 'a', bytes: 10 } },
  ],
  [
    'the element that was found',
    { _id: 4, 'attempts.by': 6 },
    { $set: { 'attempts.$.n': 9 } },
    { 'attempts.0.n': 1, 'attempts.1.n': 9 },
  ],
  [
    'the first element of several in a list',
    { _id: 4, 'attempts.by': { $in: [6, 7] } },
    { $set: { 'attempts.$': { by: 6 } } },
    { attempts: [{ by: 5, n: 1 }, { by: 6 }] },
  ],
  ['a replacement', { _id: 5 }, { course: 9 }, { course: 9, status: undefined }],
]

onEveryServer((things, connection) => {
  const fill = () => things().insertMany(PAPERS)
  const idsOf = (rows: Row[]) => rows.map(({ _id }) => _id)
  const at = (row: Row | null, path: string) =>
    path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], row)

  it.each(FILTERS)('finds, counts, sums up and removes by %s', async (_name, filter, ids) => {
    await fill()
    expect(idsOf(await things().find(filter).sort({ _id: 1 }).toArray())).toEqual(ids)
    expect(await things().countDocuments(filter)).toBe(ids.length)
    expect((await things().distinct('_id', filter)).sort()).toEqual(ids)
    expect((await things().deleteMany(filter)).deletedCount).toBe(ids.length)
  })

  it('finds the same with an index as without', async () => {
    await fill()
    await things().createIndexes([
      { key: { course: 1, status: 1 } },
      { key: { owners: 1 } },
      { key: { 'attempts.by': 1 } },
      { key: { at: -1 } },
    ])
    for (const [name, filter, ids] of FILTERS)
      expect([name, ...idsOf(await things().find(filter).sort({ _id: 1 }).toArray())]).toEqual([name, ...ids])
  })

  it.each(UPDATES)('updates by %s', async (_name, filter, update, expected) => {
    await fill()
    const replaces = !Object.keys(update)[0]?.startsWith('$')
    const { matchedCount } = replaces
      ? await things().replaceOne(filter, update)
      : await things().updateOne(filter, update)
    const row = await things().findOne(filter)
    expect(matchedCount).toBe(1)
    for (const [path, value] of Object.entries(expected)) expect([path, at(row, path)]).toEqual([path, value])
  })

  it('tells what an update matched and what it changed', async () => {
    await fill()
    const counts = { matchedCount: 3, modifiedCount: 1 }
    expect(await things().updateMany({ course: 7 }, { $set: { status: 'graded' } })).toMatchObject(counts)
  })

  it('stamps the time by its own clock', async () => {
    await fill()
    const { localTime } = await connection().getClient().db('admin').command({ hello: 1 })
    const stamp: object = { $currentDate: { at: true } }
    await things().updateMany({ course: 7 }, stamp)
    for (const row of await things().find({ course: 7 }).toArray())
      expect(Number(row.at) - Number(localTime)).toBeGreaterThanOrEqual(0)
  })

  it('inserts what is not there yet', async () => {
    const change: object = { $setOnInsert: { course: 7 }, $inc: { n: 1 } }
    const first = await things().updateOne({ _id: 1, status: 'new' }, change, { upsert: true })
    const second = await things().updateOne({ _id: 1 }, change, { upsert: true })
    expect([first.upsertedId, second.upsertedCount, await things().findOne()]).toEqual([
      1,
      0,
      { _id: 1, status: 'new', course: 7, n: 2 },
    ])
    await things().replaceOne({ _id: 2 }, { n: 5 }, { upsert: true })
    expect(await things().findOne({ _id: 2 })).toEqual({ _id: 2, n: 5 })
  })

  it('finds one and changes or removes it', async () => {
    await fill()
    const due = { status: 'queued' }
    const claim: object = { $set: { status: 'running' }, $inc: { tries: 1 } }
    expect(await things().findOneAndUpdate(due, claim, { sort: { _id: -1 }, returnDocument: 'after' })).toMatchObject({
      _id: 5,
      tries: 1,
    })
    expect(await things().findOneAndUpdate(due, claim)).toMatchObject({ _id: 4, status: 'queued' })
    expect(await things().findOneAndUpdate(due, claim)).toBeNull()
    expect(await things().findOneAndUpdate({ _id: 6 }, claim, { upsert: true, returnDocument: 'after' })).toEqual({
      _id: 6,
      status: 'running',
      tries: 1,
    })
    expect(await things().findOneAndDelete({ _id: 6 })).toMatchObject({ status: 'running' })
    expect(await things().countDocuments({ _id: 6 })).toBe(0)
  })

  it('writes in bulk, and says which writes failed', async () => {
    await fill()
    const write = () =>
      things().bulkWrite(
        [
          { insertOne: { document: { _id: 1 } } },
          { updateOne: { filter: { _id: 2 }, update: { $set: { course: 1 } } } },
          { deleteOne: { filter: { _id: 3 } } },
          { replaceOne: { filter: { _id: 9 }, replacement: { course: 1 }, upsert: true } },
        ],
        { ordered: false },
      )
    await expect(write()).rejects.toMatchObject({
      code: 11000,
      writeErrors: [{ index: 0 }],
      result: { modifiedCount: 1, deletedCount: 1, upsertedCount: 1 },
    })
    expect(idsOf(await things().find({ course: 1 }).toArray())).toEqual([2, 9])
  })

  it('sorts, pages, projects and streams', async () => {
    await fill()
    const page = (sort: Record<string, 1 | -1>, skip: number) =>
      things()
        .find({}, { projection: { _id: 1 } })
        .sort(sort)
        .skip(skip)
        .limit(2)
        .toArray()
    expect(idsOf(await page({ course: -1, at: 1, _id: -1 }, 1))).toEqual([4, 1])
    expect(idsOf(await page({ at: -1, _id: 1 }, 1))).toEqual([3, 1])
    expect(await things().findOne({ _id: 1 }, { projection: { 'grade.score': 1, _id: 0 } })).toEqual({
      grade: { score: 4 },
    })
    expect(
      Object.keys((await things().findOne({ _id: 1 }, { projection: { owners: 0, 'file.size': 0 } })) ?? {}),
    ).toEqual(['_id', 'course', 'status', 'at', 'grade', 'file'])
    expect(
      await things().findOne({ _id: 4 }, { projection: { attempts: { $elemMatch: { by: 6 } }, note: 1 } }),
    ).toEqual({ _id: 4, note: 'a.b', attempts: [{ by: 6, n: 2 }] })
    const streamed: Row[] = []
    for await (const row of things().find().sort({ note: 1, _id: 1 }).batchSize(2)) streamed.push(row)
    expect(idsOf(streamed)).toEqual([1, 2, 5, 4, 3])
  })

  it('groups and counts', async () => {
    await fill()
    const countIf = (field: string, value: unknown) => ({ $sum: { $cond: [{ $eq: [field, value] }, 1, 0] } })
    const counts = {
      n: { $sum: 1 },
      graded: countIf('$status', 'graded'),
      hidden: countIf('$grade.released', false),
      first: { $min: '$at' },
    }
    const byCourse = await things()
      .aggregate([{ $match: { course: { $in: [7, 8] } } }, { $group: { _id: '$course', ...counts } }])
      .toArray()
    expect(byCourse.sort((a, b) => a._id - b._id)).toEqual([
      { _id: 7, n: 3, graded: 2, hidden: 1, first: early },
      { _id: 8, n: 2, graded: 0, hidden: 0, first: null },
    ])
    const size = [
      { $group: { _id: '$file.hash', size: { $first: '$file.size' } } },
      { $group: { _id: null, files: { $sum: 1 }, bytes: { $sum: '$size' } } },
    ]
    expect(await things().aggregate(size).toArray()).toEqual([{ _id: null, files: 3, bytes: 30 }])
    expect(
      await things()
        .aggregate([{ $match: { _id: 77 } }, { $group: { _id: null, n: { $sum: 1 } } }])
        .toArray(),
    ).toEqual([])
    expect(await things().countDocuments({ course: 7 }, { limit: 2 })).toBe(2)
    expect(await things().estimatedDocumentCount()).toBe(5)
  })

  it('keeps indexes of each kind, and says which key was there twice', async () => {
    await things().createIndexes([
      { key: { code: 1 }, unique: true, partialFilterExpression: { code: { $type: 'string' } } },
      { key: { 'owner.id': 1 }, unique: true, sparse: true },
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      { key: { course: 1, at: -1 } },
    ])
    const described = await things().listIndexes().toArray()
    expect(described.map(({ name }) => name)).toEqual([
      '_id_',
      'code_1',
      'owner.id_1',
      'expires_at_1',
      'course_1_at_-1',
    ])
    expect(described[1]).toMatchObject({ unique: true, partialFilterExpression: { code: { $type: 'string' } } })
    await things().insertMany([{ code: 'x' }, { code: null }, { code: null }, { owner: { id: 1 } }])
    await expect(things().insertOne({ code: 'x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { code: 1 },
      keyValue: { code: 'x' },
    })
    await expect(things().updateOne({ code: null }, { $set: { 'owner.id': 1 } })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { 'owner.id': 1 },
    })
    await expect(things().createIndex({ kind: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 })
    const explained = await connection()
      .getClient()
      .db(connection().name)
      .command({ explain: { count: 'things', query: { course: 7 } } })
    expect(JSON.stringify(explained.queryPlanner.winningPlan)).toContain('"COUNT_SCAN"')
    await things().dropIndex('code_1')
    expect([await things().indexExists('code_1'), await things().indexExists('_id_')]).toEqual([false, true])
    await expect(things().dropIndex('code_1')).rejects.toMatchObject({ code: 27 })
  })

  it('lists, renames and drops collections', async () => {
    await fill()
    const db = connection().getClient().db(connection().name)
    const names = async (filter = {}) =>
      (await db.listCollections(filter, { nameOnly: true }).toArray()).map(({ name }) => name)
    await db.collection('elsewhere').drop()
    await db.renameCollection('things', 'elsewhere')
    expect([await names({ name: 'things' }), await names({ name: 'elsewhere' })]).toEqual([[], ['elsewhere']])
    await expect(db.renameCollection('things', 'other')).rejects.toMatchObject({ code: 26 })
    expect(await db.collection('elsewhere').drop()).toBe(true)
    await db.createCollection('elsewhere')
    expect(await names({ name: 'elsewhere' })).toEqual(['elsewhere'])
    await db.dropDatabase()
    expect(await names()).toEqual([])
  })

  it('stores and returns every type as it was sent', async () => {
    const { bson } = { bson: await import('bson') }
    const values: BSON.Document = {
      double: new bson.Double(5),
      int: new bson.Int32(5),
      long: bson.Long.MAX_VALUE,
      decimal: bson.Decimal128.fromString('0.10'),
      bytes: new Binary(Buffer.from('x'), 4),
      id: new ObjectId(),
      regex: new bson.BSONRegExp('a', 'i'),
      min: new bson.MinKey(),
      date: early,
      nothing: null,
    }
    await things().insertOne({ _id: 1, values })
    await things().updateOne({ _id: 1 }, { $set: { changed: true } })
    expect(
      bson.EJSON.stringify((await things().findOne({}, { promoteValues: false, bsonRegExp: true }))?.values, {
        relaxed: false,
      }),
    ).toBe(bson.EJSON.stringify(values, { relaxed: false }))
  })
})

it('serves Mongoose models, which make their indexes first', async () => {
  const { connection, close } = await openTestDatabase()
  try {
    const schema = new Schema(
      { _id: Number, email: { type: String, unique: true }, tags: [String] },
      { versionKey: false },
    )
    const Account = connection.model('Account', schema)
    await Account.init()
    await Account.create({ _id: 1, email: 'a@b.c', tags: ['x'] })
    await expect(Account.create({ _id: 2, email: 'a@b.c' })).rejects.toMatchObject({
      code: 11000,
      keyValue: { email: 'a@b.c' },
    })
    expect(await Account.exists({ email: 'a@b.c' })).toEqual({ _id: 1 })
    expect(await Account.findByIdAndUpdate(1, { $push: { tags: 'y' } }, { new: true }).lean()).toEqual({
      _id: 1,
      email: 'a@b.c',
      tags: ['x', 'y'],
    })
    expect(await Account.deleteOne({ _id: 1 })).toMatchObject({ deletedCount: 1 })
  } finally {
    await close()
  }
})
