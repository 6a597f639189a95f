import { expect, it } from 'vitest'
import { nextNightlySync, nextSyncRetry } from './sync-report.ts'

const HOUR = 60 * 60 * 1000
const evening = new Date(2026, 2, 3, 20, 15)

it('gives each course its minute between one and five at night', () => {
  const times = Array.from({ length: 240 }, (_, id) => nextNightlySync(id, evening).getTime())
  expect(new Set(times).size).toBe(240)
  for (const time of times) {
    expect(new Date(time).getDate()).toBe(4)
    expect(new Date(time).getHours()).toBeGreaterThanOrEqual(1)
    expect(new Date(time).getHours()).toBeLessThan(5)
  }
  const once = nextNightlySync(7, evening)
  expect(nextNightlySync(7, once).getTime() - once.getTime()).toBe(24 * HOUR)
})

it('retries within hours after a failure, a few times, and then at night', () => {
  expect(nextSyncRetry(7, 1, evening).getTime()).toBe(evening.getTime() + HOUR)
  expect(nextSyncRetry(7, 3, evening).getTime()).toBe(evening.getTime() + 3 * HOUR)
  expect(nextSyncRetry(7, 4, evening)).toEqual(nextNightlySync(7, evening))
})
