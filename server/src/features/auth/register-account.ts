import { nextId } from '../../lib/database/database.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { duplicateError, type NewUser, newUserDoc, storeNewUser } from '../users/user.service.ts'
import { queueLinkMails } from './link-mail.ts'
import type { TakenNameLimit } from './taken-name-limit.ts'

/** Where a registration comes from. */
interface Registration {
  address: string
  takenNames: TakenNameLimit
}

/**
 * Stores the account, with its address unconfirmed until its owner has followed the mailed link. For an address that has an
 * account nothing is stored, and the reply is one that a new account would get: only the mailbox learns of the other.
 * @throws {AppError} `duplicate` for a taken username, whatever the address: there is no other way to choose one;
 *   `rate_limit_exceeded` for one beyond those told to the network address
 */
export async function registerAccount(
  account: NewUser,
  { address, takenNames }: Registration,
  { clock, jobs }: Services,
): Promise<UserDoc> {
  const now = clock.now()
  const { user, taken } = await storeNewUser(account, now)
  if (taken === 'username') {
    await takenNames.count(address)
    throw duplicateError(taken)
  }
  const mail = user
    ? ({ kind: 'confirm', userId: user._id } as const)
    : ({ kind: 'registered', email: account.email } as const)
  await queueLinkMails([mail], { jobs })
  // With an ID of its own, which nobody ever has.
  return user ?? newUserDoc(await nextId('users'), account, now)
}
