import { getMe } from '@assay/shared/auth.ts'
import type { User } from '@assay/shared/users.ts'
import { tokenStore } from '../lib/session/browser-store.ts'
import { mockEndpoint, ok, teacher } from './mock-api.ts'

export function signInAs(user: User = teacher): void {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => ok(getMe, user))
}
