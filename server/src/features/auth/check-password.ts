import { AppError } from '../../lib/http/app-error.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { findUserByLogin } from '../users/user.service.ts'
import { verifyPassword } from './password-hash.ts'
import { createSignInLimit } from './sign-in-limit.ts'

/** The account whose password it is; null for a wrong password or an unknown name. */
export type CheckPassword = (address: string, given: { username: string; password: string }) => Promise<UserDoc | null>

/** Shared by all routes that check passwords, so that wrong ones count together. */
export function createPasswordCheck({ settings, clock }: Services): CheckPassword {
  const limits = {
    account: settings.limit('limit_sign_in_account'),
    address: settings.limit('limit_sign_in_address'),
  }
  const signInLimit = createSignInLimit(limits, clock)
  return (address, { username, password }) =>
    signInLimit.attempt(address, username, async () => {
      const found = await findUserByLogin(username)
      return (await verifyPassword(password, found?.password_hash ?? null)) ? found : null
    })
}

/** @throws {AppError} saying why an account cannot be used although the password was right */
export function assertAccountUsable({ account }: UserDoc): void {
  if (account === 'pending') throw new AppError('account_pending')
  if (account === 'deactivated') throw new AppError('account_deactivated')
}
