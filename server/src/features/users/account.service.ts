import { randomInt } from 'node:crypto'
import { type UserDoc, UserModel } from '../../records/people/user.model.ts'
import { normalizeLogin, toDuplicateError } from './user.service.ts'

/** A link to an earlier address finds nobody. */
interface LinkRecipient {
  user_id: number
  email_key: string
}

const recipientFilter = ({ user_id, email_key }: LinkRecipient) => ({ _id: user_id, email_key })

export const findLinkRecipient = (link: LinkRecipient): Promise<UserDoc | null> =>
  UserModel.findOne({ ...recipientFilter(link), account: { $ne: 'deactivated' } }).lean()

/** Also verifies the address. */
export function setPasswordByLink(link: LinkRecipient, password_hash: string, now: Date): Promise<UserDoc | null> {
  return UserModel.findOneAndUpdate(
    { ...recipientFilter(link), account: { $in: ['active', 'pending'] } },
    { $set: { password_hash, email_verified_at: now, updated_at: now } },
  ).lean()
}

/** False where another password was set since this one was checked. */
export async function setPassword(user: UserDoc, password_hash: string, now: Date): Promise<boolean> {
  const seen = { _id: user._id, password_hash: user.password_hash }
  return (await UserModel.updateOne(seen, { $set: { password_hash, updated_at: now } })).matchedCount > 0
}

export const markEmailVerified = (link: LinkRecipient, now: Date): Promise<UserDoc | null> =>
  UserModel.findOneAndUpdate(recipientFilter(link), { $set: { email_verified_at: now } }).lean()

/** Null unless still invited: of two at once, one succeeds. @throws {AppError} `duplicate` username */
export async function claimAccount(
  link: LinkRecipient,
  claim: { username?: string; full_name?: string; password_hash: string },
  now: Date,
): Promise<UserDoc | null> {
  const { username, full_name, password_hash } = claim
  const named = username === undefined ? {} : { username, username_key: normalizeLogin(username) }
  const fullName = full_name?.trim() ? { full_name: full_name.trim() } : {}
  try {
    return await UserModel.findOneAndUpdate(
      { ...recipientFilter(link), account: 'invited' },
      { $set: { ...named, ...fullName, password_hash, account: 'active', email_verified_at: now, updated_at: now } },
    ).lean()
  } catch (error) {
    throw toDuplicateError(error)
  }
}

type AccountAccess = Pick<UserDoc, 'role' | 'account'>

export function changeAccountAccess(user: UserDoc, to: Partial<AccountAccess>, now: Date): Promise<UserDoc | null> {
  return UserModel.findOneAndUpdate(
    { _id: user._id, role: user.role, account: user.account },
    { $set: { ...to, updated_at: now } },
  ).lean()
}

export async function restoreAccountAccess({ _id, role, account }: UserDoc): Promise<void> {
  await UserModel.updateOne({ _id }, { $set: { role, account } })
}

export const hasActiveAdministrator = async (): Promise<boolean> =>
  (await UserModel.countDocuments({ role: 'admin', account: 'active' })) > 0

/** What a session depends on; null when the account is gone. */
export const findSignInState = (userId: number): Promise<Pick<UserDoc, 'role' | 'account' | 'password_hash'> | null> =>
  UserModel.findById(userId, { role: 1, account: 1, password_hash: 1 }).lean()

export async function updateLastSeen(userId: number, now: Date): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $max: { last_seen_at: now } })
}

export async function markInvited(userIds: number[]): Promise<void> {
  if (userIds.length > 0) await UserModel.updateMany({ _id: { $in: userIds } }, { $currentDate: { invited_at: true } })
}

/** Waits to be claimed by a mail that was never sent. */
export const isNeverInvited = ({ account, email, from_lms, invited_at }: UserDoc): boolean =>
  account === 'invited' && email !== '' && from_lms !== true && invited_at === null

export async function markRegistrationMailed(userId: number, now: Date): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $set: { registration_mailed_at: now } })
}

export function updateProfile(user: UserDoc, fields: Partial<UserDoc>, now: Date): Promise<UserDoc | null> {
  return UserModel.findOneAndUpdate(
    { _id: user._id, email_key: user.email_key },
    { $set: { ...fields, updated_at: now } },
  ).lean()
}

export async function deactivateAccount(userId: number, now: Date): Promise<void> {
  await UserModel.updateOne({ _id: userId }, { $set: { account: 'deactivated', updated_at: now } })
}

export async function reserveAccountJoin(userId: number, targetId: number): Promise<boolean> {
  const free = { _id: userId, from_lms: true, joined_into: { $in: [null, targetId] } }
  return (await UserModel.updateOne(free, { $set: { joined_into: targetId } })).matchedCount > 0
}

export async function updateUsers(changes: Map<number, Partial<UserDoc>>, now: Date): Promise<void> {
  if (changes.size === 0) return
  const writes = [...changes].map(([_id, fields]) => ({
    // What an LMS says of erased people is not stored.
    updateOne: { filter: { _id, deleted_at: null }, update: { $set: { ...fields, updated_at: now } } },
  }))
  await UserModel.bulkWrite(writes, { ordered: false })
}

/** Distinct ones: `kim`, `kim2`, `kim3`, `kim4`, `kim48213`. */
export async function findFreeUsernames(wanted: string[]): Promise<string[]> {
  const found: string[] = []
  const taken = new Set<string>()
  let open = wanted.map((_, i) => i)
  for (let attempt = 0; open.length > 0; attempt++) {
    const tail = () => (attempt === 0 ? '' : attempt < 4 ? attempt + 1 : randomInt(1000, 1_000_000))
    const candidates = new Map(open.map((i) => [i, `${wanted[i]}${tail()}`]))
    const keys = [...candidates.values()].map(normalizeLogin)
    const stored = await UserModel.find({ username_key: { $in: keys } }, { username_key: 1 }).lean()
    for (const { username_key } of stored) taken.add(username_key)
    for (const [i, name] of candidates) {
      if (taken.has(normalizeLogin(name))) continue
      taken.add(normalizeLogin(name))
      found[i] = name
    }
    open = open.filter((i) => found[i] === undefined)
  }
  return found
}

/** `ada.m+x@school.example` becomes `ada.m`. */
export function usernameFromEmail(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).split('+')[0] ?? ''
  const name = local
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 50)
  return name.length >= 3 ? name : `${name || 'user'}-student`
}
