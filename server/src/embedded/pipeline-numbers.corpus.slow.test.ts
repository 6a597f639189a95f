import { BSONRegExp, Decimal128, Double, Long } from 'bson'
import { expect, it } from 'vitest'
import { onEveryServer } from './testing/on-every-server.ts'

const big = Long.fromString('9007199254740993')

onEveryServer((things) => {
  it.each<[string, unknown[], unknown, unknown]>([
    ['$sum', [big, 1], { $sum: '$v' }, '9007199254740994'],
    ['$sum', [big, big], { $sum: '$v' }, '18014398509481986'],
    ['$sum', [Long.MAX_VALUE, Long.MAX_VALUE], { $sum: '$v' }, '18446744073709552000'],
    ['$sum', [0.1, 0.2, 0.3], { $sum: '$v' }, '0.6'],
    ['$sum', [1, 'x', null, 2.5], { $sum: '$v' }, '3.5'],
    ['$sum', [1, Number.POSITIVE_INFINITY], { $sum: '$v' }, 'Infinity'],
    ['$avg', [big, big], { $avg: '$v' }, '9007199254740992'],
    ['$avg', [1, 2, 'x'], { $avg: '$v' }, '1.5'],
    ['$avg', ['x'], { $avg: '$v' }, 'null'],
    ['$max', [big, new Double(9007199254740992), 'a'], { $max: '$v' }, 'a'],
    ['$min', [big, 9007199254740992, 'a'], { $min: '$v' }, '9007199254740992'],
  ])('computes %s of %j', async (_name, values, spec, expected) => {
    await things().insertMany(values.map((v, n) => ({ _id: n, v })))
    const [answer] = await things()
      .aggregate([{ $group: { _id: null, answer: spec } }])
      .toArray()
    expect(String(answer?.answer)).toBe(expected)
  })

  it.each<[Record<string, unknown>, unknown]>([
    [{ $add: ['$big', 1] }, '9007199254740994'],
    [{ $add: [1, 2.5] }, '3.5'],
    [{ $subtract: ['$big', 1] }, '9007199254740992'],
    [{ $multiply: ['$big', 3] }, '27021597764222979'],
    [{ $multiply: ['$big', '$big'] }, '8.112963841460668e+31'],
    [{ $eq: ['$big', { $literal: 9007199254740992 }] }, 'false'],
    [{ $gt: ['$big', 9007199254740992] }, 'true'],
    [{ $gt: ['a', 1] }, 'true'],
    [
      {
        $cmp: [
          [2, 1],
          [1, 2],
        ],
      },
      '1',
    ],
    [{ $eq: ['$absent', null] }, 'false'],
    [{ $isNumber: '$decimal' }, 'true'],
    [{ $type: '$decimal' }, 'decimal'],
    [{ $type: '$absent' }, 'missing'],
    [{ $toString: '$big' }, '9007199254740993'],
    [{ $regexMatch: { input: 'a1', regex: '^[[:alpha:]]+$' } }, 'false'],
    [{ $regexMatch: { input: 'a\nb', regex: new BSONRegExp('a.b', 's') } }, 'true'],
    [{ $getField: { field: 'idx', input: { $regexFind: { input: '\u{1f600}b', regex: 'b' } } } }, '1'],
    [{ $size: { $regexFindAll: { input: 'AaB', regex: 'a', options: 'i' } } }, '2'],
  ])('computes %j', async (given, expected) => {
    await things().insertOne({ _id: 1, big, decimal: Decimal128.fromString('1.5') })
    const [answer] = await things()
      .aggregate([{ $project: { answer: given } }])
      .toArray()
    expect(String(answer?.answer)).toBe(expected)
  })
})
