import { expect, it } from 'vitest'
import { LruCache } from './lru-cache.ts'

it('keeps what was asked for last, and lets go of the rest', () => {
  const recent = new LruCache<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3])
})

it('forgets a value, but not the one that has taken its place', () => {
  const recent = new LruCache<number>(2)
  recent.set('a', 1)
  recent.set('a', 2)
  recent.deleteIfSame('a', 1)
  expect(recent.get('a')).toBe(2)
  recent.deleteIfSame('a', 2)
  expect(recent.get('a')).toBeUndefined()
})
