import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StaleWhileRevalidate } from './stale-while-revalidate.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

it('fetches again soon after a failure, and keeps what it has for its age otherwise', async () => {
  let answer: () => Promise<string> = () => Promise.reject(new Error('away'))
  const load = vi.fn(() => answer())
  const failed = vi.fn()
  const cache = new StaleWhileRevalidate('nothing yet', load, { maxAgeMs: 30_000, failed })
  await cache.refresh()
  expect(failed).toHaveBeenCalledTimes(1)
  expect([cache.current(), load.mock.calls.length]).toEqual(['nothing yet', 1])
  answer = async () => 'the first'
  vi.advanceTimersByTime(5_000)
  cache.current()
  await vi.waitFor(() => expect(cache.current()).toBe('the first'))
  answer = async () => 'the second'
  vi.advanceTimersByTime(29_000)
  expect([cache.current(), load.mock.calls.length]).toEqual(['the first', 2])
  vi.advanceTimersByTime(1_000)
  cache.current()
  await vi.waitFor(() => expect(cache.current()).toBe('the second'))
})
