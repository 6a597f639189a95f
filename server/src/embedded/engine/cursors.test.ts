import { expect, it } from 'vitest'
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
  expect(cursors.use(id, (cursor) => cursor.namespace)).toBe('test.things')
  expect([cursors.kill(id), cursors.kill(id)]).toEqual([true, false])
  expect(() => cursors.use(id, () => {})).toThrow(expect.objectContaining({ code: 43 }))
})
