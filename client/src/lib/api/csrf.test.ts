import { getCsrfToken } from '@assay/shared/auth.ts'
import { beforeEach, expect, it, vi } from 'vitest'
import { mockEndpoint, ok } from '../../testing/mock-api.ts'
import { csrfStore } from '../session/browser-store.ts'
import { startCsrfRefresh } from './csrf.ts'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
it('fetches a CSRF token at the start and every 1,800,000 ms, and stores it for the tab', async () => {
  const asked = mockEndpoint(getCsrfToken, (_, count) => ok(getCsrfToken, { csrf_token: `csrf-${count}` }))
  const stop = startCsrfRefresh()
  await expect.poll(() => sessionStorage.getItem('assay.csrf')).toBe('csrf-1')
  await vi.advanceTimersByTimeAsync(1_790_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => csrfStore.get()).toBe('csrf-2')
  stop()
  await vi.advanceTimersByTimeAsync(1_800_000)
  expect(asked).toHaveLength(2)
})
