import {
  approveUser,
  changeUserRole,
  createManagedUser,
  deactivateUser,
  listUsers,
  type ManagedUser,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { AccountStatus, Role } from '@assay/shared/users.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import { only } from '../../lib/only.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { queueLinkMails } from '../auth/link-mail.ts'
import { hashPassword } from '../auth/password-hash.ts'
import { endSessionsOfUser } from '../auth/session.service.ts'
import { countCoursesTaught } from '../courses/course.service.ts'
import { changeAccountAccess, hasActiveAdministrator, restoreAccountAccess } from '../users/account.service.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { createUser, listUserPage, presentUser, requireUser } from '../users/user.service.ts'
import { generatePassword } from './first-administrator.ts'

export function userManagementRoutes(router: Router, services: Services): void {
  handle(router, listUsers, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const { users, total } = await listUserPage(query)
    setTotal(total)
    return presentManagedUsers(users)
  })

  handle(router, createManagedUser, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const { user, password } = await createManagedAccount(body, actor, services)
    return { user: await presentManagedUser(user), password }
  })

  handle(router, changeUserRole, async ({ params, body, actor }) => {
    allow(canAdminister(actor))
    const user = await requireUser(params.userId)
    return presentManagedUser(await changeRole(user, body.role, actor, services))
  })

  const decisions = [
    [approveUser, approveAccount],
    [deactivateUser, deactivateAccount],
    [reactivateUser, reactivateAccount],
  ] as const
  for (const [endpoint, decide] of decisions) {
    handle(router, endpoint, async ({ params, actor }) => {
      allow(canAdminister(actor))
      const user = await requireUser(params.userId)
      return presentManagedUser(await decide(user, actor, services))
    })
  }

  handle(router, sendUserLink, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const user = await requireUser(params.userId)
    return { message: await sendAccountLink(user, actor, services) }
  })
}

type AccountChange = Partial<Pick<UserDoc, 'role' | 'account'>>

/** Ends the account's sessions. @throws {AppError} `own_account`, `last_administrator`, `conflict` */
async function changeAccount(
  user: UserDoc,
  to: AccountChange,
  action: string,
  actor: Actor,
  services: Pick<Services, 'clock' | 'events'>,
): Promise<UserDoc> {
  if (user._id === actor.id) throw new AppError('own_account')
  if (user.deleted_at != null) throw new AppError('conflict', 'This account has been deleted.')
  const now = services.clock.now()
  const changed = await changeAccountAccess(user, to, now)
  if (!changed) throw new AppError('conflict')
  // Checked afterwards, as two administrators may demote each other at the same moment.
  if (!(await hasActiveAdministrator())) {
    await restoreAccountAccess(user)
    throw new AppError('last_administrator')
  }
  await endSessionsOfUser(user._id, services)
  const fields = Object.keys(to) as (keyof AccountChange)[]
  await recordAudit(actor, action, { user_id: user._id }, now, {
    before: Object.fromEntries(fields.map((field) => [field, user[field]])),
    after: to,
  })
  return changed
}

type RequiredServices = Pick<Services, 'clock' | 'events'>

async function changeRole(user: UserDoc, role: Role, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user._id !== actor.id && user.role === role) return user
  // A launch gives the role of its course, so it could never sign in as an administrator.
  if (user.from_lms && role === 'admin')
    throw new AppError('conflict', 'Accounts from an LMS cannot be administrators.')
  return changeAccount(user, { role }, 'user.role_changed', actor, services)
}

async function approveAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account === 'active') return user
  if (user.account !== 'pending') throw new AppError('conflict', 'This account is not waiting for approval.')
  return changeAccount(user, { account: 'active' }, 'user.approved', actor, services)
}

async function deactivateAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account === 'deactivated') return user
  return changeAccount(user, { account: 'deactivated' }, 'user.deactivated', actor, services)
}

async function reactivateAccount(user: UserDoc, actor: Actor, services: RequiredServices): Promise<UserDoc> {
  if (user.account !== 'deactivated') return user
  if (user.joined_into != null)
    throw new AppError('conflict', 'This account was merged into another account, which now has all its work.')
  const account: AccountStatus = user.password_hash === null && !user.from_lms ? 'invited' : 'active'
  return changeAccount(user, { account }, 'user.reactivated', actor, services)
}

/** Its owner sets a password by a mailed link, or gets a generated one, shown once. */
async function createManagedAccount(
  { hand_over, ...fields }: BodyOf<typeof createManagedUser>,
  actor: Actor,
  services: Services,
): Promise<{ user: UserDoc; password: string | null }> {
  const { clock } = services
  const password = hand_over === 'once' ? generatePassword() : null
  const user = await createUser(
    {
      ...fields,
      account: password === null ? 'invited' : 'active',
      password_hash: password === null ? null : await hashPassword(password),
    },
    clock.now(),
  )
  const after = { role: user.role, account: user.account }
  await recordAudit(actor, 'user.created', { user_id: user._id }, clock.now(), { after })
  if (password === null) await queueLinkMails([{ kind: 'invitation', userId: user._id, invitedBy: actor.id }], services)
  return { user, password }
}

async function sendAccountLink(user: UserDoc, actor: Actor, services: Services): Promise<string> {
  if (user.account === 'deactivated')
    throw new AppError('conflict', 'This account is deactivated. Reactivate it before emailing its owner.')
  if (user.from_lms)
    throw new AppError('conflict', 'This account comes from an LMS and has no password. Its owner opens Assay there.')
  if (!user.email)
    throw new AppError('conflict', 'This account has no email address. Enter one before emailing its owner.')
  const invited = user.account === 'invited'
  await queueLinkMails(
    [invited ? { kind: 'invitation', userId: user._id, invitedBy: actor.id } : { kind: 'reset', email: user.email }],
    services,
  )
  const action = invited ? 'user.invited_again' : 'user.reset_link_sent'
  await recordAudit(actor, action, { user_id: user._id }, services.clock.now())
  return invited
    ? `The invitation is on its way to ${user.email}.`
    : `A link to set a new password is on its way to ${user.email}.`
}

async function presentManagedUsers(users: UserDoc[]): Promise<ManagedUser[]> {
  const taught = await countCoursesTaught(users.map((user) => user._id))
  return users.map((user) => ({
    ...presentUser(user),
    account: user.account,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    courses_taught: taught.get(user._id) ?? 0,
    deleted: user.deleted_at != null,
  }))
}

const presentManagedUser = async (user: UserDoc): Promise<ManagedUser> => only(await presentManagedUsers([user]))
