import type { listUsers } from '@assay/shared/admin.ts'
import type { QueryOf } from '@assay/shared/http/endpoint.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import type { User } from '@assay/shared/users.ts'
import type { QueryFilter } from 'mongoose'
import { allOf } from '../../lib/all-of.ts'
import {
  ignoreDuplicateKey,
  isDuplicateKeyError,
  literalRegExp,
  nextId,
  unlessDuplicate,
} from '../../lib/database/database.ts'
import { AppError, orNotFound } from '../../lib/http/app-error.ts'
import { type UserDoc, UserModel } from '../../records/people/user.model.ts'

export interface NewUser
  extends Pick<UserDoc, 'username' | 'email' | 'password_hash' | 'role'>,
    Partial<Pick<UserDoc, 'full_name' | 'institution' | 'student_number' | 'account' | 'demo'>> {
  email_verified?: boolean
}

/** Names that differ only by case or Unicode form are the same. */
export const normalizeLogin = (text: string) => text.normalize('NFKC').trim().toLowerCase()

export function newUserDoc(_id: number, user: NewUser, now: Date): UserDoc {
  return {
    _id,
    username: user.username.trim(),
    username_key: normalizeLogin(user.username),
    email: user.email.trim(),
    email_key: normalizeLogin(user.email),
    email_verified_at: user.email_verified ? now : null,
    password_hash: user.password_hash,
    role: user.role,
    full_name: user.full_name?.trim() || null,
    institution: user.institution?.trim() || null,
    student_number: user.student_number ?? null,
    account: user.account ?? 'active',
    ...(user.account === 'invited' ? { invited_at: null } : {}),
    demo: user.demo ?? false,
    created_at: now,
    updated_at: now,
  }
}

type TakenField = 'username' | 'email'

/** An invited account does not keep its name from the owner of its address. */
async function findTakenField({ username, email }: NewUser): Promise<TakenField | null> {
  const [username_key, email_key] = [normalizeLogin(username), normalizeLogin(email)]
  const others = await UserModel.find(
    { $or: [{ username_key }, { email_key }] },
    { username_key: 1, email_key: 1, account: 1 },
  ).lean()
  const nameIsTaken = others.some(
    (other) => other.username_key === username_key && !(other.account === 'invited' && other.email_key === email_key),
  )
  if (nameIsTaken) return 'username'
  return others.length > 0 ? 'email' : null
}

/** Stores nothing where either is taken: `taken` says which, the name where both are. */
export async function storeNewUser(
  user: NewUser,
  now: Date,
): Promise<{ user: UserDoc; taken: null } | { user: null; taken: TakenField }> {
  const taken = await findTakenField(user)
  if (taken) return { user: null, taken }
  const doc = newUserDoc(await nextId('users'), user, now)
  try {
    await UserModel.create(doc)
  } catch (error) {
    // Registered at the same moment: the unique index rejects the second.
    if (!isDuplicateKeyError(error)) throw error
    return { user: null, taken: duplicateField(error) }
  }
  return { user: doc, taken: null }
}

/** @throws {AppError} `duplicate`, naming the field */
export async function createUser(newUser: NewUser, now: Date): Promise<UserDoc> {
  const { user, taken } = await storeNewUser(newUser, now)
  if (!user) throw duplicateError(taken)
  return user
}

const duplicateField = ({ keyPattern }: { keyPattern?: Record<string, unknown> }): TakenField =>
  keyPattern?.email_key ? 'email' : 'username'

export const toDuplicateError = (error: unknown): unknown =>
  isDuplicateKeyError(error) ? duplicateError(duplicateField(error)) : error

export function duplicateError(field: TakenField): AppError {
  const message = field === 'username' ? 'This username is already taken.' : 'This email address is already registered.'
  return new AppError('duplicate', message, { details: [{ loc: ['body', field], msg: message, type: 'duplicate' }] })
}

export async function findUserByLogin(login: string): Promise<UserDoc | null> {
  return login.includes('@')
    ? UserModel.findOne({ email_key: normalizeLogin(login) }).lean()
    : UserModel.findOne({ username_key: normalizeLogin(login) }).lean()
}

export async function usersByEmail(emails: string[]): Promise<Map<string, UserDoc>> {
  const users = await UserModel.find({ email_key: { $in: emails.map(normalizeLogin) } }).lean()
  return new Map(users.map((user) => [user.email_key, user]))
}

export const findUserByEmail = (email: string): Promise<UserDoc | null> =>
  UserModel.findOne({ email_key: normalizeLogin(email) }).lean()

export const requireUser = (id: number): Promise<UserDoc> =>
  orNotFound(UserModel.findById(id).lean(), 'There is no user with this ID.')

export function userSearchFilter(search: string): QueryFilter<UserDoc> {
  const pattern = literalRegExp(search.normalize('NFKC'))
  const byText = [{ username: pattern }, { email: pattern }, { full_name: pattern }]
  return { $or: /^\d{1,15}$/.test(search) ? [{ _id: Number(search) }, ...byText] : byText }
}

export async function searchUserIds(search: string): Promise<number[]> {
  const users = await UserModel.find(userSearchFilter(search), { _id: 1 }).limit(500).lean()
  return users.map((user) => user._id)
}

export async function findUserIdsByName(ids: (number | null)[], pattern: RegExp): Promise<number[]> {
  const named = await UserModel.find(
    { _id: { $in: ids }, $or: [{ full_name: pattern }, { username: pattern }] },
    { _id: 1 },
  ).lean()
  return named.map(({ _id }) => _id)
}

export async function usersById(ids: number[]): Promise<Map<number, UserDoc>> {
  const users = await UserModel.find({ _id: { $in: ids } }).lean()
  return new Map(users.map((user) => [user._id, user]))
}

/** Without unknown ids. Reads all names: 70 ms for 5,000. */
export async function sortIdsByName(ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const users = await UserModel.find({ _id: { $in: ids } }, { full_name: 1, username: 1 }).lean()
  return users.sort(compareNames).map(({ _id }) => _id)
}

export async function namesById(ids: number[]): Promise<Map<number, string>> {
  const users = await UserModel.find({ _id: { $in: [...new Set(ids)] } }, { full_name: 1, username: 1 }).lean()
  return new Map(users.map(({ _id, full_name, username }) => [_id, full_name ?? username]))
}

export function findDemoUsers(): Promise<UserDoc[]> {
  return UserModel.find({ demo: true, role: { $in: ['instructor', 'student'] } })
    .sort({ _id: 1 })
    .lean()
}

export const countUsers = async (): Promise<number> => UserModel.countDocuments({})

export function presentUser(user: UserDoc): User {
  return {
    id: user._id,
    username: user.username,
    email: user.email,
    role: user.role,
    full_name: user.full_name,
    institution: user.institution,
    email_verified: user.email_verified_at != null,
    from_lms: user.from_lms === true,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
  }
}

export async function listUserPage(query: QueryOf<typeof listUsers>): Promise<{ users: UserDoc[]; total: number }> {
  const filter: QueryFilter<UserDoc> = {
    ...(query.search ? userSearchFilter(query.search) : {}),
    ...(query.role ? { role: query.role } : {}),
    ...(query.account ? { account: query.account } : {}),
  }
  const order = query.direction === 'asc' ? 1 : -1
  const field = { username: 'username_key', email: 'email_key' }[query.sort as string] ?? query.sort
  const [users, total] = await Promise.all([
    UserModel.find(filter)
      .sort({ [field]: order, _id: order })
      .skip(query.skip)
      .limit(query.limit)
      .lean(),
    UserModel.countDocuments(filter),
  ])
  return { users, total }
}

export async function filterUserIds(ids: number[], filter: QueryFilter<UserDoc>): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const users = await UserModel.find({ _id: { $in: ids }, ...filter }, { _id: 1 }).lean()
  return new Set(users.map(({ _id }) => _id))
}

/** The unique indexes drop accounts whose name or address is taken. */
export async function insertUsers(users: UserDoc[]): Promise<void> {
  await UserModel.insertMany(users, { lean: true, ordered: false }).catch(ignoreDuplicateKey)
}

export function countUsersByKind(now: Date) {
  const seenWithin = (ms: number) => UserModel.countDocuments({ last_seen_at: { $gte: new Date(now.getTime() - ms) } })
  return allOf({
    total: UserModel.countDocuments({}),
    students: UserModel.countDocuments({ role: 'student' }),
    instructors: UserModel.countDocuments({ role: 'instructor' }),
    admins: UserModel.countDocuments({ role: 'admin' }),
    pending: UserModel.countDocuments({ account: 'pending' }),
    deactivated: UserModel.countDocuments({ account: 'deactivated' }),
    active_now: seenWithin(15 * 60_000),
    active_today: seenWithin(24 * 60 * 60_000),
  })
}

export const findRosterAccounts = (courseId: number): Promise<UserDoc[]> =>
  UserModel.find({ roster_course_id: courseId, account: 'invited' }).lean()

/** False if it has an address or somebody else has this one. */
export async function giveAddress(userId: number, courseId: number, email: string, now: Date): Promise<boolean> {
  const unused = { _id: userId, roster_course_id: courseId, account: 'invited' as const, email: '' }
  const update = { $set: { email: email.trim(), email_key: normalizeLogin(email), updated_at: now } }
  return (await unlessDuplicate(UserModel.updateOne(unused, update).exec()))?.modifiedCount === 1
}

export async function renameUser(_id: number, full_name: string, now: Date): Promise<void> {
  await UserModel.updateOne({ _id }, { $set: { full_name, updated_at: now } })
}

export async function takeAddressBack(userId: number, courseId: number, now: Date): Promise<void> {
  const given = { _id: userId, roster_course_id: courseId, account: 'invited' as const }
  await UserModel.updateOne(given, { $set: { email: '', email_key: `roster:${userId}`, updated_at: now } })
}

export async function releaseRosterAccounts(userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  const filter = { _id: { $in: userIds }, roster_course_id: { $ne: null }, email: { $ne: '' } }
  await UserModel.updateMany(filter, { $set: { roster_course_id: null } })
}
