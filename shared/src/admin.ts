import { z } from 'zod'
import { defineEndpoint, Id, Paging, Timestamp } from './http/endpoint.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText, Username } from './rules/text.ts'
import { AccountStatus, Role, User } from './users.ts'

export const ManagedUser = User.extend({
  account: AccountStatus,
  last_seen_at: Timestamp.nullable(),
  courses_taught: z.number().int(),
  deleted: z.boolean(),
})
export type ManagedUser = z.infer<typeof ManagedUser>

export const userSorts = ['username', 'email', 'role', 'account', 'created_at', 'last_seen_at'] as const

export const listUsers = defineEndpoint('get', '/admin/users', {
  summary: 'List accounts; search covers names, addresses and ids',
  access: ['admin'],
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

export const createManagedUser = defineEndpoint('post', '/admin/users', {
  summary: 'Create an account with any role',
  access: ['admin'],
  status: 201,
  body: z.object({
    username: Username,
    email: EmailAddress,
    role: Role,
    full_name: lineOfText('Full name', 120).optional(),
    institution: lineOfText('Institution', 160).optional(),
    /** `mail`: the owner gets a link to set a password. `once`: only this reply has it. */
    hand_over: z.enum(['mail', 'once']),
  }),
  reply: z.object({ user: ManagedUser, password: z.string().nullable() }),
})

export const changeUserRole = defineEndpoint('patch', '/admin/users/:userId/role', {
  summary: 'Change a user’s role; it signs them out',
  access: ['admin'],
  body: z.object({ role: Role }),
  reply: ManagedUser,
})

export const approveUser = defineEndpoint('post', '/admin/users/:userId/approve', {
  summary: 'Approve an instructor who registered while registration needs approval',
  access: ['admin'],
  reply: ManagedUser,
})

export const deactivateUser = defineEndpoint('post', '/admin/users/:userId/deactivate', {
  summary: 'Deactivate an account; its sessions and live connections end at once',
  access: ['admin'],
  reply: ManagedUser,
})

export const reactivateUser = defineEndpoint('post', '/admin/users/:userId/reactivate', {
  summary: 'Reactivate an account',
  access: ['admin'],
  reply: ManagedUser,
})

export const sendUserLink = defineEndpoint('post', '/admin/users/:userId/link', {
  summary: 'Resend a user’s invitation, or mail a link to set a new password',
  access: ['admin'],
  reply: z.object({ message: z.string() }),
})

export const Health = z.object({
  part: z.enum(['database', 'papers', 'grader', 'mail', 'disk', 'queue', 'redis']),
  state: z.enum(['good', 'warn', 'bad']),
  detail: z.string(),
})
export type Health = z.infer<typeof Health>

export const AttentionItem = z.object({
  kind: z.enum([
    'database',
    'papers',
    'grader',
    'mail',
    'disk',
    'redis',
    'jobs_failed',
    'jobs_waiting',
    'scores_refused',
    'lms_silent',
    'launches_refused',
    'lms_waiting',
    'instructors_waiting',
  ]),
  severity: z.enum(['bad', 'warn']),
  title: z.string(),
  advice: z.string(),
  since: Timestamp.nullable(),
})
export type AttentionItem = z.infer<typeof AttentionItem>

const Total = z.number().int()

export const getAdminDashboard = defineEndpoint('get', '/admin/dashboard', {
  summary: 'Totals, current jobs, the health of each component and what needs attention',
  access: ['admin'],
  reply: z.object({
    users: z.object({
      total: Total,
      students: Total,
      instructors: Total,
      admins: Total,
      pending: Total,
      deactivated: Total,
      /** In the last 15 minutes, and in the last 24 hours. */
      active_now: Total,
      active_today: Total,
    }),
    courses: Total,
    assignments: z.object({ total: Total, published: Total }),
    submissions: z.object({ total: Total, failed: Total }),
    /** In the last 24 hours. */
    grades_today: Total,
    work: z.object({
      runs: Total,
      queued: Total,
      running: Total,
      /** In the last 7 days. */
      failed: z.array(z.object({ name: z.string(), at: Timestamp, error: z.string() })),
    }),
    lms: z.object({ total: Total, waiting: Total }),
    health: z.array(Health),
    attention: z.array(AttentionItem),
    version: z.string(),
    uptime_seconds: z.number().int(),
  }),
})

const AuditSubject = z.object({ kind: z.string(), id: z.number(), name: z.string().nullable() })

export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  action: z.string(),
  actor: z.object({
    id: z.number(),
    username: z.string().nullable(),
    full_name: z.string().nullable(),
    role: z.string(),
  }),
  subjects: z.array(AuditSubject),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = defineEndpoint('get', '/admin/audit', {
  summary: 'List audit log entries, newest first',
  access: ['admin'],
  query: Paging.extend({
    action: z.string().max(60).optional(),
    /** Part of a name or address: who did it, or to whom. */
    person: z.string().trim().max(254).default(''),
    from: Timestamp.optional(),
    /** Exclusive. */
    to: Timestamp.optional(),
  }),
  reply: z.array(AuditEntry),
  hasTotalCount: true,
})

export const listAuditActions = defineEndpoint('get', '/admin/audit/actions', {
  summary: 'List the event types of the audit log',
  access: ['admin'],
  reply: z.array(z.string()),
})
