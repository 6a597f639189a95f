import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import type { User } from '@assay/shared/users.ts'
import { notifications } from '@mantine/notifications'
import { waiting } from '../lib/http.ts'
import { csrfStore, tokenStore } from '../lib/stored.ts'
import { answer, ok, teacher } from './mock-api.ts'

/** Somebody is signed in, nothing of the last test is in the way, and nobody waits before trying again. */
export function signedIn(user: User = teacher): void {
  // Only four are shown at once; those of the last test would be in the way.
  notifications.clean()
  notifications.cleanQueue()
  waiting.wait = async () => {}
  tokenStore.set('token-1')
  csrfStore.set(null)
  answer(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  answer(getDemo, () => ok(getDemo, { accounts: [] }))
  answer(getMe, () => ok(getMe, user))
}
