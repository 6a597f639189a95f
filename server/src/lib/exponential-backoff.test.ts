import { expect, it } from 'vitest'
import { exponentialBackoff } from './exponential-backoff.ts'

it('doubles the delay with each failure, up to the most', () => {
  const delays = [1, 2, 3, 4, 1000].map((failures) => exponentialBackoff(failures, { initialMs: 100, maxMs: 500 }))
  expect(delays).toEqual([100, 200, 400, 500, 500])
})

it('varies it by the jitter either way', () => {
  const delayAt = (value: number) => exponentialBackoff(2, { initialMs: 100, jitter: 0.5, random: () => value })
  expect([0, 0.5, 0.75].map(delayAt)).toEqual([100, 200, 250])
})
