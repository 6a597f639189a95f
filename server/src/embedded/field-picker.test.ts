import { Binary, BSON, BSONRegExp, Code, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import { expect, it } from 'vitest'
import { fieldPicker, fieldsOfFilter } from './field-picker.ts'

it('skips values of every type', () => {
  const values = {
    double: new Double(1.5),
    text: 'grüße\0x',
    doc: { last: 'not this one' },
    list: [1, [2]],
    binary: new Binary(Buffer.from('abc')),
    id: new ObjectId(),
    yes: true,
    date: new Date(5),
    nothing: null,
    regex: new BSONRegExp('a.*', 'i'),
    code: new Code('x'),
    scoped: new Code('x', { last: 1 }),
    int: 7,
    timestamp: new Timestamp(5n),
    long: Long.fromNumber(2 ** 40),
    decimal: Decimal128.fromString('1.5'),
    least: new MinKey(),
    most: new MaxKey(),
  }
  const bytes = BSON.serialize({ ...values, last: 'here' })
  expect(fieldPicker(['last'])(bytes)).toEqual({ last: 'here' })
  for (const name of Object.keys(values)) {
    expect(Object.keys(fieldPicker([name, 'last', 'absent'])(bytes))).toEqual([name, 'last'])
  }
})

it('knows which fields a filter reads', () => {
  expect(fieldsOfFilter({ 'a.b': 1, $or: [{ c: 1 }, { $and: [{ 'd.0': 2 }] }] })).toEqual(['a', 'c', 'd'])
})
