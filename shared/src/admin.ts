import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Paging, Timestamp } from './ids.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText, Username } from './rules/text.ts'
import { AccountStatus, Role, User } from './users.ts'

const adminRoles = ['admin'] as const

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
  access: adminRoles,
  query: Paging.extend({
    search: z.string().trim().max(254).default(''),
    role: Role.optional(),
    account: AccountStatus.optional(),
    sort: z.enum(userSorts).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: z.array(ManagedUser),
  hasTotalCount: true,
})

export const createManagedUser = defineEndpoint({
  method: 'post',
  path: '/admin/users',
  summary: 'Make an account, of whatever role',
  access: adminRoles,
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
  access: adminRoles,
  params: oneUser,
  body: z.object({ role: Role }),
  reply: ManagedUser,
})

export const approveUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/approve',
  summary: 'Let an instructor in who registered while registration is by approval',
  access: adminRoles,
  params: oneUser,
  reply: ManagedUser,
})

export const deactivateUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/deactivate',
  summary: 'Switch an account off; its sessions and live connections end at once',
  access: adminRoles,
  params: oneUser,
  reply: ManagedUser,
})

export const reactivateUser = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/reactivate',
  summary: 'Switch an account on again',
  access: adminRoles,
  params: oneUser,
  reply: ManagedUser,
})

export const sendUserLink = defineEndpoint({
  method: 'post',
  path: '/admin/users/:userId/link',
  summary: 'Mail someone a link: their invitation again, or one to set a new password',
  access: adminRoles,
  params: oneUser,
  reply: z.object({ message: z.string() }),
})

/** How well a part of Assay is; `detail` says it in words. */
export const Health = z.object({
  part: z.enum(['database', 'papers', 'grader', 'mail', 'disk', 'queue']),
  state: z.enum(['good', 'warn', 'bad']),
  detail: z.string(),
})
export type Health = z.infer<typeof Health>

const Total = z.number().int()

export const getAdminDashboard = defineEndpoint({
  method: 'get',
  path: '/admin/dashboard',
  summary: 'How many there are of what, what is being done, and how well each part of Assay is',
  access: adminRoles,
  reply: z.object({
    users: z.object({
      total: Total,
      students: Total,
      instructors: Total,
      admins: Total,
      /** Instructors an administrator has yet to approve. */
      pending: Total,
      deactivated: Total,
      /** Seen in the last 15 minutes, and in the last 24 hours. */
      active_now: Total,
      active_today: Total,
    }),
    courses: Total,
    assignments: z.object({ total: Total, published: Total }),
    submissions: z.object({ total: Total, failed: Total }),
    /** Suggested in the last 24 hours. */
    grades_today: Total,
    work: z.object({
      runs: Total,
      queued: Total,
      running: Total,
      /** Given up in the last 7 days. */
      failed: z.array(z.object({ name: z.string(), at: Timestamp, error: z.string() })),
    }),
    lms: z.object({
      total: Total,
      /** Registered, or registered anew, and not approved yet. */
      waiting: Total,
    }),
    health: z.array(Health),
    version: z.string(),
    uptime_seconds: z.number().int(),
  }),
})

/** One thing an entry is about; the name is null where it is gone or has none. */
export const AuditSubject = z.object({ kind: z.string(), id: z.number(), name: z.string().nullable() })

export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  /** What was done, noun first: `grade.overridden`. */
  action: z.string(),
  actor: z.object({
    id: z.number(),
    username: z.string().nullable(),
    full_name: z.string().nullable(),
    role: z.string(),
  }),
  subjects: z.array(AuditSubject),
  /** What it changed, where it changed a value. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = defineEndpoint({
  method: 'get',
  path: '/admin/audit',
  summary: 'Who did what to which thing, newest first',
  access: adminRoles,
  query: Paging.extend({
    action: z.string().max(60).optional(),
    /** A part of the name or address of whoever did it or whom it was done to. */
    person: z.string().trim().max(254).default(''),
    from: Timestamp.optional(),
    /** Up to and without this moment. */
    to: Timestamp.optional(),
  }),
  reply: z.array(AuditEntry),
  hasTotalCount: true,
})

export const listAuditActions = defineEndpoint({
  method: 'get',
  path: '/admin/audit/actions',
  summary: 'Every kind of deed that stands in the audit log',
  access: adminRoles,
  reply: z.array(z.string()),
})
