import { AppError } from '../../lib/http/app-error.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findUserByLogin } from '../users/user.service.ts'
import { knownDeviceOf } from './known-device.ts'
import { verifyPassword } from './password-hash.ts'
import { createSignInLimit } from './sign-in-limit.ts'

interface Origin {
  address: string
  device: string | null
}

/** Null for a wrong password or an unknown name. */
export type CheckPassword = (
  from: Origin,
  given: { username: string; password: string; user?: UserDoc },
) => Promise<UserDoc | null>

/** Shared by all routes that check passwords, so that wrong ones count together. */
export function createPasswordCheck({ settings, clock, config }: Services): CheckPassword {
  const limits = {
    account: settings.limit('limit_sign_in_account'),
    address: settings.limit('limit_sign_in_address'),
  }
  const signInLimit = createSignInLimit(limits, clock, config.secretKey)
  return async ({ address, device: cookie }, { username, password, ...given }) => {
    const user = given.user ?? (await findUserByLogin(username))
    const device = knownDeviceOf(user, cookie, config, clock.now())
    const isRight = await signInLimit.attempt({ address, login: username, user, device }, () =>
      verifyPassword(password, user?.password_hash ?? null, { first: device !== null }),
    )
    return isRight ? user : null
  }
}

/** @throws {AppError} although the password was right */
export function assertAccountUsable({ account }: UserDoc): void {
  if (account === 'pending') throw new AppError('account_pending')
  if (account === 'deactivated') throw new AppError('account_deactivated')
}
