import { z } from 'zod'
import { defineEndpoint, Id, Paging, Timestamp } from '../http/endpoint.ts'
import { LmsKind, RosterReport } from './lti.ts'

export const LmsCourse = z.object({
  id: Id,
  platform: z.object({ name: z.string(), lms: LmsKind }),
  title: z.string().nullable(),
  label: z.string().nullable(),
  blocker: z.string().nullable(),
  report: RosterReport.nullable(),
  members: z.number().int(),
  suspended: z.number().int(),
})
export type LmsCourse = z.infer<typeof LmsCourse>

/** No longer listed, or as inactive. Their work stays. */
export const SuspendedMember = z.object({
  user_id: Id,
  username: z.string(),
  full_name: z.string().nullable(),
  email: z.string(),
  role: z.enum(['instructor', 'student']),
  lms_course: z.string(),
  suspended_at: Timestamp,
})
export type SuspendedMember = z.infer<typeof SuspendedMember>

export const listLmsCourses = defineEndpoint('get', '/courses/:courseId/lms', {
  summary: 'The LMS courses a course is linked to, and what their last roster syncs did',
  reply: z.array(LmsCourse),
})

export const syncLmsRoster = defineEndpoint('post', '/courses/:courseId/lms/sync', {
  summary: 'Start a roster sync from the LMS in the background; one under way continues',
  status: 202,
  body: z.object({
    /** Accepts a doubtful sync's short list, and suspends everyone not on it. */
    suspend_missing: z.boolean().default(false),
  }),
  reply: z.array(LmsCourse),
})

export const stopLmsSync = defineEndpoint('delete', '/courses/:courseId/lms/sync', {
  summary: 'Stop the roster sync; what was imported stays',
  reply: z.array(LmsCourse),
})

export const listSuspended = defineEndpoint('get', '/courses/:courseId/lms/suspended', {
  summary: 'Suspended members: those the LMS no longer lists in the course, latest first',
  query: Paging,
  hasTotalCount: true,
  reply: z.array(SuspendedMember),
})
