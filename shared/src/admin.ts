import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Paging, Timestamp } from './ids.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText, Username } from './rules/text.ts'
import { AccountStatus, Role, User } from './users.ts'

const administrators = ['admin'] as const

/** An account as administrators see it. */
export const ManagedUser = User.extend({
  account: AccountStatus,
  /** When they last did anything; null for never, or not since this is kept. */
  last_seen_at: Timestamp.nullable(),
  /** Courses they teach: what another role would take out of their hands. */
  courses_taught: z.number().int(),
})
export type ManagedUser = z.infer<typeof ManagedUser>

export const userSorts = ['username', 'email', 'role', 'account', 'created_at', 'last_seen_at'] as const

export const listUsers = defineEndpoint({
  method: 'get',
  path: '/admin/users',
  summary: 'Everybody who has an account; search goes through names, addresses and ids',
  access: administrators,
  query: Paging.extend({
    search: z.string().trim().max(254).default(''),
    role: Role.optional(),
    account: AccountStatus.optional(),
    sort: z.enum(userSorts).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: z.array(ManagedUser),
  counted: true,
})

export const createManagedUser = defineEndpoint({
  method: 'post',
  path: '/admin/users',
  summary: 'Make an account, of whatever role',
  access: administrators,
  status: 201,
  body: z.object({
    username: Username,
    email: EmailAddress,
    role: Role,
    full_name: lineOfText('Full name', 120).optional(),
    institution: lineOfText('Institution', 160).optional(),
    /** `mail`: the owner gets a link to set a password. `once`: a password is made, and told in this reply alone. */
    hand_over: z.enum(['mail', 'once']),
  }),
  reply: z.object({ user: ManagedUser, password: z.string().nullable() }),
})

const oneUser = z.object({ userId: Id })

export const changeUserRole = defineEndpoint({
  method: 'patch',
  path: '/admin/users/:userId/role',
  summary: 'Give someone another role; they are signed out and start anew with it',
  access: administrators,
  params: oneUser,
  body: z.object({ role: Role }),
  reply: ManagedUser,
})

export const approveUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/approve',
  summary: 'Let an instructor in who registered while registration is by approval',
  access: administrators,
  params: oneUser,
  reply: ManagedUser,
})

export const deactivateUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/deactivate',
  summary: 'Switch an account off; its sessions and live connections end at once',
  access: administrators,
  params: oneUser,
  reply: ManagedUser,
})

export const reactivateUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/reactivate',
  summary: 'Switch an account on again',
  access: administrators,
  params: oneUser,
  reply: ManagedUser,
})

export const sendUserLink = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/link',
  summary: 'Mail someone a link: their invitation again, or one to set a new password',
  access: administrators,
  params: oneUser,
  reply: z.object({ message: z.string() }),
})
