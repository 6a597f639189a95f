import { expect, it } from 'vitest'
import { Batch, Cursor, Cursors } from './cursors.ts'

const mebibyte = new Uint8Array(1024 * 1024)

function cursorOver(documents: Uint8Array[]): Cursor {
  const left = [...documents]
  return new Cursor('test.things', () => left.shift())
}

it('keeps each batch under 16 MB and loses nothing between batches', () => {
  const cursor = cursorOver(Array.from({ length: 40 }, () => mebibyte))
  const sizes: number[] = []
  while (!cursor.finished) sizes.push(cursor.nextBatch(Number.POSITIVE_INFINITY).length)
  expect(sizes).toEqual([15, 15, 10])
})

it('returns one document that is larger than a batch', () => {
  const large = new Uint8Array(16 * 1024 * 1024 + 16_000)
  const cursor = cursorOver([large, large])
  expect(cursor.nextBatch(10)).toHaveLength(1)
  expect(cursor.nextBatch(10)).toHaveLength(1)
  expect(cursor.finished).toBe(true)
})

it('fills a first batch with what is small, and none that was asked to be empty', () => {
  const batch = new Batch(2, 100)
  expect([1, 2, 3, 4].map(() => batch.add(new Uint8Array(30)))).toEqual([true, true, false, false])
  expect(new Batch(0).add(new Uint8Array(30))).toBe(false)
})

it('ends a batch early when the time for it is over', () => {
  const cursor = cursorOver(Array.from({ length: 100 }, () => new Uint8Array(10)))
  expect(cursor.nextBatch(100, performance.now())).toHaveLength(16)
  expect(cursor.nextBatch(100)).toHaveLength(84)
})

it('does not know a cursor that was killed', () => {
  const cursors = new Cursors()
  const id = cursors.newId()
  cursors.add(id, cursorOver([mebibyte]))
  expect(cursors.use(id, 'test.things', (cursor) => cursor.namespace)).toBe('test.things')
  expect([cursors.kill(id), cursors.kill(id)]).toEqual([true, false])
  expect(() => cursors.use(id, 'test.things', () => {})).toThrow(expect.objectContaining({ code: 43 }))
})
