import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Timestamp } from './http/ids.ts'
import { allRoles } from './users.ts'

/** `placeholder`: what the person is called from now on, “Deleted student 4f2a”. */
export const ErasureProgress = z.object({
  state: z.enum(['running', 'done', 'failed']),
  placeholder: z.string(),
  /** What it is doing, for people; and how many of its steps are done. */
  doing: z.string(),
  done: z.number().int(),
  total: z.number().int(),
  /** What it is doing may wait for an hour, until files are old enough: nothing new comes every second. */
  waiting: z.boolean(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type ErasureProgress = z.infer<typeof ErasureProgress>

/** Once erasure was asked for, nothing is counted any more: only `progress` says something. */
export const ErasurePreview = z.object({
  /** What has to be done first, as sentences. Empty: it can be deleted. */
  blockers: z.array(z.string()),
  papers: z.number().int(),
  /** Released scores, which stay without a name. */
  retained_grades: z.number().int(),
  /** Courses that others teach on, and courses without students that are deleted along. */
  courses_left: z.number().int(),
  courses_deleted: z.number().int(),
  assignments_deleted: z.number().int(),
  /** LMSs that list the person now: with their next roster, or a launch, there is a new account. */
  lms_names: z.array(z.string()),
  progress: ErasureProgress.nullable(),
})
export type ErasurePreview = z.infer<typeof ErasurePreview>

/** Papers are drawn one by one. */
const EXPORT_TIMEOUT_MS = 3_600_000

export const exportOwnData = defineEndpoint('get', '/account/data.zip', {
  summary: 'Everything Assay stores about oneself and may show: data.json and papers as PDF',
  access: allRoles,
  reply: z.string(),
  raw: 'application/zip',
  timeoutMs: EXPORT_TIMEOUT_MS,
})

export const previewOwnErasure = defineEndpoint('get', '/account/erasure', {
  summary: 'What deleting one’s own account would delete and keep, and what has to be done first',
  access: allRoles,
  reply: ErasurePreview,
})

export const eraseOwnAccount = defineEndpoint('post', '/account/erasure', {
  summary: 'Delete one’s own account with everything that names its owner; it ends all sessions and cannot be undone',
  access: allRoles,
  status: 202,
  body: z.object({ password: z.string().min(1, 'Enter your password').max(1000) }),
  reply: z.object({ message: z.string() }),
})

export const exportUserData = defineEndpoint('get', '/admin/users/:userId/data.zip', {
  summary: 'Everything Assay stores about a person, also what is not released to them',
  access: ['admin'],
  reply: z.string(),
  raw: 'application/zip',
  timeoutMs: EXPORT_TIMEOUT_MS,
})

export const previewErasure = defineEndpoint('get', '/admin/users/:userId/erasure', {
  summary: 'What deleting an account would delete and keep; once it was asked for, how far it has come',
  access: ['admin'],
  reply: ErasurePreview,
})

export const eraseUser = defineEndpoint('post', '/admin/users/:userId/erasure', {
  summary: 'Delete an account with everything that names its owner; where that has failed, go on with it',
  access: ['admin'],
  status: 202,
  /** Typed by the administrator, so that nobody deletes the account of the next row. */
  body: z.object({ username: z.string().max(254) }),
  reply: ErasurePreview,
})
