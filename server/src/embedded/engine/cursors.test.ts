import { expect, it } from 'vitest'
import { checkpoint, UNLIMITED, withLimits } from '../command-limits.ts'
import { Cursor, Cursors } from './cursors.ts'

const mebibyte = new Uint8Array(1024 * 1024)
const docs = (count: number) => Array.from({ length: count }, () => mebibyte)

it('keeps each batch under 16 MB and loses nothing between batches', () => {
  const cursor = Cursor.of('test.things', docs(40))
  const sizes: number[] = []
  while (!cursor.finished) sizes.push(cursor.nextBatch(Number.POSITIVE_INFINITY).length)
  expect(sizes).toEqual([15, 15, 10])
})

it('returns one document that is larger than a batch', () => {
  const large = new Uint8Array(16 * 1024 * 1024 + 16_000)
  const cursor = Cursor.of('test.things', [large, large])
  expect(cursor.nextBatch(10)).toHaveLength(1)
  expect(cursor.nextBatch(10)).toHaveLength(1)
  expect(cursor.finished).toBe(true)
})

it('does not know a cursor that was killed', () => {
  const cursors = new Cursors()
  const id = cursors.add(Cursor.of('test.things', docs(1)))
  expect(cursors.use(id, 'test.things', (cursor) => cursor.namespace)).toBe('test.things')
  expect([cursors.kill(id), cursors.kill(id)]).toEqual([true, false])
  expect(() => cursors.use(id, 'test.things', () => {})).toThrow(expect.objectContaining({ code: 43 }))
})

it('gives a cursor what is left of the maxTimeMS that it was opened with, and loses it when that is over', () => {
  const cursors = new Cursors()
  const slow = new Cursor('test.things', () => {
    checkpoint(mebibyte.length)
    return mebibyte
  })
  const open = (ms: number) => withLimits({ ...UNLIMITED, endsAt: performance.now() + ms }, () => cursors.add(slow))
  const fetch = (id: bigint) =>
    withLimits(UNLIMITED, () => cursors.use(id, 'test.things', (cursor) => cursor.nextBatch(3)))
  const id = open(60_000)
  expect([fetch(id).length, fetch(id).length]).toEqual([3, 3])
  const late = open(0)
  expect(() => fetch(late)).toThrow('operation exceeded time limit')
  expect(() => fetch(late)).toThrow(expect.objectContaining({ code: 43 }))
})

it('ends a batch early when the time for it is over', () => {
  const cursor = Cursor.of(
    'test.things',
    Array.from({ length: 100 }, () => new Uint8Array(10)),
  )
  const batch = withLimits({ ...UNLIMITED, batchUntil: performance.now() }, () => cursor.nextBatch(100))
  expect(batch).toHaveLength(16)
  expect(cursor.nextBatch(100)).toHaveLength(84)
})
