import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import type { User } from '@assay/shared/users.ts'
import { notifications } from '@mantine/notifications'
import { retryTimer } from '../lib/api/http-client.ts'
import { csrfStore, tokenStore } from '../lib/session/browser-store.ts'
import { mockEndpoint, ok, teacher } from './mock-api.ts'

/** Somebody is signed in, nothing of the last test is in the way, and nobody waits before trying again. */
export function signInAs(user: User = teacher): void {
  // Only four are shown at once; those of the last test would be in the way.
  notifications.clean()
  notifications.cleanQueue()
  retryTimer.wait = async () => {}
  tokenStore.set('token-1')
  csrfStore.set(null)
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getMe, () => ok(getMe, user))
}
