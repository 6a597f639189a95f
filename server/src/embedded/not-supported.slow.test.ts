import { readFileSync } from 'node:fs'
import { Decimal128, Long } from 'bson'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'

type Body = Record<string, unknown>

const find = (filter: Body): Body => ({ find: 'things', filter })
const pipeline = (...stages: Body[]): Body => ({ aggregate: 'things', pipeline: stages, cursor: {} })
const project = (expression: unknown): Body => pipeline({ $project: { answer: expression } })
const group = (accumulator: unknown, id: unknown = null): Body => pipeline({ $group: { _id: id, answer: accumulator } })
const createIndex = (key: Body, options: Body = {}): Body => ({
  createIndexes: 'things',
  indexes: [{ key, name: 'wanted', ...options }],
})
const create = (options: Body): Body => ({ create: 'others', ...options })
const regex = (pattern: string): Body => find({ s: { $regex: pattern } })
const collation = { locale: 'en', strength: 2 }
const update = (options: Body): Body => ({ update: 'things', updates: [{ q: {}, u: { $set: { x: 1 } }, ...options }] })

/** By how their line starts in docs/embedded-database.md: commands that the store refuses, and a word of the reason. */
const LINES: [string, [Body, string][]][] = [
  [
    '`$where`',
    [
      [find({ $where: 'true' }), '$where'],
      [find({ $expr: { $function: { body: 'x', args: [], lang: 'js' } } }), '$function'],
      [group({ $accumulator: {} }), '$accumulator'],
    ],
  ],
  [
    '`$text`',
    [
      [find({ $text: { $search: 'x' } }), '$text'],
      [find({ $jsonSchema: {} }), '$jsonSchema'],
      ...['$near', '$nearSphere', '$geoWithin', '$geoIntersects'].map((name): [Body, string] => [
        find({ a: { [name]: [1, 2] } }),
        name,
      ]),
    ],
  ],
  [
    'Text, geo',
    [
      [createIndex({ a: 'text' }), 'text'],
      [createIndex({ a: '2dsphere' }), '2dsphere'],
      [createIndex({ a: 'hashed' }), 'hashed'],
      [createIndex({ '$**': 1 }), 'Wildcard'],
      [createIndex({ a: 1 }, { storageEngine: {} }), 'storageEngine'],
    ],
  ],
  [
    'Collations',
    [
      [{ ...find({}), collation }, 'collation'],
      [{ ...pipeline(), collation }, 'collation'],
      [{ count: 'things', collation }, 'collation'],
      [{ distinct: 'things', key: 'a', collation }, 'collation'],
      [update({ collation }), 'collation'],
      [{ delete: 'things', deletes: [{ q: {}, limit: 0, collation }] }, 'collation'],
      [{ findAndModify: 'things', remove: true, collation }, 'collation'],
      [createIndex({ a: 1 }, { collation }), 'collation'],
      [create({ collation }), 'collation'],
    ],
  ],
  [
    'Views',
    [
      [create({ viewOn: 'things', pipeline: [] }), 'viewOn'],
      [create({ capped: true, size: 1000 }), 'capped'],
      [create({ clusteredIndex: { key: { _id: 1 }, unique: true } }), 'clusteredIndex'],
      [create({ timeseries: { timeField: 't' } }), 'timeseries'],
      [create({ validator: { a: 1 } }), 'validator'],
      [{ collMod: 'things', validator: { a: 1 } }, 'validator'],
      [{ collMod: 'things', index: { name: '_id_', hidden: true } }, 'hidden'],
    ],
  ],
  [
    '`$changeStream`',
    [
      'changeStream',
      'graphLookup',
      'geoNear',
      'search',
      'vectorSearch',
      'collStats',
      'indexStats',
      'currentOp',
      'redact',
    ].map((name): [Body, string] => [pipeline({ [`$${name}`]: {} }), `$${name}`]),
  ],
  [
    '`mapReduce`',
    [
      [{ mapReduce: 'things' }, 'mapReduce'],
      [{ bulkWrite: 1, ops: [] }, 'bulkWrite'],
      [{ validate: 'things' }, 'validate'],
      [{ killOp: 1, op: 1 }, 'killOp'],
      [{ currentOp: 1 }, 'currentOp'],
      [{ absentCommand: 1 }, 'absentCommand'],
    ],
  ],
  [
    'Options of a find',
    [
      [{ ...find({}), min: { _id: 1 } }, 'min'],
      [{ ...find({}), max: { _id: 1 } }, 'max'],
      ...['returnKey', 'showRecordId', 'tailable', 'awaitData'].map((option): [Body, string] => [
        { ...find({}), [option]: true },
        option,
      ]),
    ],
  ],
  [
    'Every option',
    [
      [{ ...find({}), absent: 1 }, 'absent'],
      [{ ...update({}), encryptionInformation: { type: 1 } }, 'encryptionInformation'],
      [{ ...find({}), $_requestResumeToken: true }, '$_requestResumeToken'],
    ],
  ],
  [
    'Read concern',
    [
      [{ ...find({}), readConcern: { level: 'snapshot' } }, 'snapshot'],
      [{ ...update({}), writeConcern: { w: 2 } }, 'nodes'],
      [{ ...update({}), writeConcern: { w: 'absent' } }, 'absent'],
    ],
  ],
  [
    '`explain`',
    [
      [{ explain: update({}) }, 'update'],
      [{ explain: pipeline() }, 'aggregate'],
    ],
  ],
  ['`$merge`', [[pipeline({ $merge: { into: 'others', whenMatched: [{ $set: { a: 1 } }] } }), '$merge']]],
  [
    '`$meta`',
    [
      [{ ...find({}), projection: { score: { $meta: 'textScore' } } }, '$meta'],
      [{ ...find({}), sort: { score: { $meta: 'textScore' } } }, '$meta'],
    ],
  ],
  [
    'In a regular expression',
    [
      [regex('(a)\\1'), 'back reference'],
      [regex('(?<n>a)\\k<n>'), 'back reference'],
      [regex('(?>a)'), 'atomic'],
      [regex('(a)(?(1)b)'), 'conditional'],
      [regex('(?R)'), 'recursion'],
      [regex('a++'), 'possessive'],
      [regex('(?<=a+)b'), 'lookbehind'],
      [regex('a(?i)b'), 'inline option'],
      [regex('(?i:a)b'), 'inline option'],
      [regex('[[:^alpha:]]'), 'negated'],
      [regex('\\Ga'), '\\G'],
      [regex('a\\Kb'), '\\K'],
      [regex('\\R'), '\\R'],
      [regex('\\X'), '\\X'],
      [regex('(*UCP)a'), '(*UCP)'],
      [regex('\\p{Greek}'), 'Greek'],
      [project({ $regexMatch: { input: 'a', regex: 'a++' } }), 'possessive'],
    ],
  ],
  [
    'In a pipeline',
    [
      ...['$sum', '$avg', '$stdDevPop', '$addToSet'].map((name): [Body, string] => [
        group({ [name]: '$decimal' }),
        name,
      ]),
      ...['$add', '$subtract', '$multiply', '$divide', '$mod', '$pow', '$in'].map((name): [Body, string] => [
        project({ [name]: ['$decimal', name === '$in' ? ['$decimal'] : 2] }),
        name,
      ]),
      ...['$abs', '$ceil', '$floor', '$round', '$toInt', '$toDouble'].flatMap((name): [Body, string][] => [
        [project({ [name]: '$decimal' }), name],
        [project({ [name]: '$big' }), name],
      ]),
      [project({ $divide: ['$big', 2] }), '$divide'],
      [project({ $multiply: ['$large', 3] }), '2^53'],
      [group({ $sum: '$large' }, null), '2^53'],
      [group({ $sum: 1 }, '$decimal'), '$group'],
      [group({ $sum: 1 }, '$big'), '$group'],
      [pipeline({ $sortByCount: '$decimal' }), '$sortByCount'],
      [pipeline({ $bucket: { groupBy: '$big', boundaries: [0, 5], default: 'x' } }), '$bucket'],
      [
        pipeline({ $setWindowFields: { sortBy: { big: 1 }, output: { rank: { $documentNumber: {} } } } }),
        '$setWindowFields',
      ],
      [project({ $toDecimal: '1.5' }), '$toDecimal'],
      [project({ $type: '$a' }), '$type'],
    ],
  ],
]

describe('what the store does not do', () => {
  let database: TestDatabase
  const db = () => database.connection.getClient().db('refusals')
  const document = {
    _id: 1 as never,
    a: 1,
    s: 'text',
    decimal: Decimal128.fromString('1.5'),
    big: Long.fromString('9007199254740993'),
    large: 9007199254740991,
  }

  beforeAll(async () => {
    database = await openTestDatabase()
    await db()
      .collection('things')
      .insertMany([document, { ...document, _id: 2 as never, large: 9007199254740990 }])
  })
  afterAll(() => database.close())

  it('is what its page says', () => {
    const page = readFileSync(new URL('../../../docs/embedded-database.md', import.meta.url), 'utf8')
    const section = page.split('### What it does not do')[1]?.split('Different from MongoDB')[0] ?? ''
    const lines = section.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.map((line) => LINES.find(([start]) => line.startsWith(`- ${start}`))?.[0] ?? line)).toEqual(
      LINES.map(([start]) => start),
    )
  })

  it.each(LINES.flatMap(([line, cases]) => cases.map(([body, word]): [string, Body, string] => [line, body, word])))(
    '%s: refuses %j in words',
    async (_line, body, word) => {
      // A statement's error is in the reply.
      const answer = await db()
        .command(body)
        .catch((error: unknown) => ({ writeErrors: [error] }))
      const [error] = answer.writeErrors ?? []
      const message = error instanceof Error ? error.message : String(error?.errmsg)
      expect(message).toContain(word)
      expect(message.split(' ').length).toBeGreaterThan(3)
      expect(await db().collection('things').find({ x: 1 }).toArray()).toEqual([])
      expect((await db().listCollections().toArray()).map((collection) => collection.name)).toEqual(['things'])
    },
  )
})
