import type { listUsers } from '@assay/shared/admin.ts'
import type { QueryOf } from '@assay/shared/endpoint.ts'
import type { AccountStatus, Role } from '@assay/shared/users.ts'
import type { QueryFilter } from 'mongoose'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { type UserDoc, UserModel } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { endSessionsOfUser } from '../auth/session.service.ts'
import { userSearchFilter } from '../users/user.service.ts'

export async function findUsers(query: QueryOf<typeof listUsers>): Promise<{ users: UserDoc[]; total: number }> {
  const filter: QueryFilter<UserDoc> = {
    ...(query.search ? userSearchFilter(query.search) : {}),
    ...(query.role ? { role: query.role } : {}),
    ...(query.account ? { account: query.account } : {}),
  }
  const order = query.direction === 'asc' ? 1 : -1
  // By what no two share where names are compared: the case of a letter is no order.
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

type AccountChange = Partial<Pick<UserDoc, 'role' | 'account'>>

/**
 * Changes an account unless somebody else has meanwhile, ends its sessions and keeps it in the audit log.
 * @throws {AppError} `own_account`, `last_administrator`, `conflict`
 */
async function changeAccount(
  user: UserDoc,
  to: AccountChange,
  action: string,
  actor: Actor,
  services: Pick<Services, 'clock' | 'events'>,
): Promise<UserDoc> {
  if (user._id === actor.id) throw new AppError('own_account')
  const now = services.clock.now()
  const before = { role: user.role, account: user.account }
  const changed = await UserModel.findOneAndUpdate(
    { _id: user._id, ...before },
    { $set: { ...to, updated_at: now } },
    { returnDocument: 'after' },
  ).lean()
  if (!changed) throw new AppError('conflict')
  // Two administrators who demote each other at the same moment: looked at afterwards, so that one of them sees it.
  if ((await UserModel.countDocuments({ role: 'admin', account: 'active' })) === 0) {
    await UserModel.updateOne({ _id: user._id }, { $set: before })
    throw new AppError('last_administrator')
  }
  await endSessionsOfUser(user._id, services)
  const fields = Object.keys(to) as (keyof AccountChange)[]
  await recordAudit(actor, action, { user_id: user._id }, now, {
    before: Object.fromEntries(fields.map((field) => [field, before[field]])),
    after: to,
  })
  return changed
}

type RequiredServices = Pick<Services, 'clock' | 'events'>

export async function changeRole(
  user: UserDoc,
  role: Role,
  actor: Actor,
  services: RequiredServices,
): Promise<UserDoc> {
  if (user._id !== actor.id && user.role === role) return user
  // It would stand among the administrators without ever coming in as one.
  if (user.from_lms && role === 'admin')
    throw new AppError('conflict', 'This account comes from an LMS, and nobody administers Assay from there.')
  return changeAccount(user, { role }, 'user.role_changed', actor, services)
}

export async function approveAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account === 'active') return user
  if (user.account !== 'pending') throw new AppError('conflict', 'Nobody asked for this account’s approval.')
  return changeAccount(user, { account: 'active' }, 'user.approved', actor, services)
}

export async function deactivateAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account === 'deactivated') return user
  return changeAccount(user, { account: 'deactivated' }, 'user.deactivated', actor, services)
}

/** One nobody has claimed yet waits for its owner again. */
export async function reactivateAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account !== 'deactivated') return user
  if (user.joined_into != null)
    throw new AppError('conflict', 'Its owner has joined this account with another one, which has all its work.')
  // An LMS lets people in without a password.
  const account: AccountStatus = user.password_hash === null && !user.from_lms ? 'invited' : 'active'
  return changeAccount(user, { account }, 'user.reactivated', actor, services)
}
