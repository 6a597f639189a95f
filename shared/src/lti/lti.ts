import { z } from 'zod'
import { AccessToken } from '../auth.ts'
import { allRoles, defineEndpoint, Id, Timestamp } from '../http/endpoint.ts'
import { TimeZone } from '../rules/dates.ts'
import { lineOfText } from '../rules/text.ts'
import { User } from '../users.ts'

export const LmsKind = z.enum(['canvas', 'moodle', 'blackboard', 'd2l', 'sakai', 'other'])
export type LmsKind = z.infer<typeof LmsKind>

/** `pending`: waiting for an administrator. `off`: deactivated by one. */
export const PlatformStatus = z.enum(['pending', 'active', 'off'])
export type PlatformStatus = z.infer<typeof PlatformStatus>

/** A window that an LMS has opened needs its opener, which holds the LMS's storage. */
export const launchPaths = /^\/(l|lti)\//

/** Counts are people. `doubtful`: so few were listed that nobody was suspended; `missing` would have been. */
export const RosterReport = z.object({
  state: z.enum(['running', 'done', 'doubtful', 'stopped', 'failed']),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  listed: z.number().int(),
  created: z.number().int(),
  changed: z.number().int(),
  /** Were suspended, and are listed again. */
  returned: z.number().int(),
  suspended: z.number().int(),
  unchanged: z.number().int(),
  /** Entries that changed nothing. */
  unreadable: z.number().int(),
  missing: z.number().int(),
  problem: z.string().nullable(),
  notes: z.array(z.string()),
})
export type RosterReport = z.infer<typeof RosterReport>

/** `refused`: until somebody acts. `off`: not to be sent (a test student). */
export const ScoreState = z.enum(['waiting', 'sending', 'sent', 'refused', 'off'])
export type ScoreState = z.infer<typeof ScoreState>

/**
 * `set_up`: an instructor has yet to choose course and assignment; `deep_link`: choose what to link; `waiting`: not set
 * up or published yet; `no_role`: none that Assay knows, as for LMS administrators; `student_view`: a teacher opened it
 * as a student.
 */
export const Launch = z.object({
  id: z.string(),
  platform: z.object({ name: z.string(), lms: LmsKind }),
  role: z.enum(['instructor', 'student']),
  purpose: z.enum(['open', 'set_up', 'deep_link', 'waiting', 'no_role', 'student_view']),
  /** Why an LMS administrator, an instructor of every course to the LMS, has no role here. */
  lms_administrator: z.enum(['not_listed', 'list_unreadable']).nullable(),
  path: z.string(),
  course_id: Id.nullable(),
  assignment_id: Id.nullable(),
  context_title: z.string().nullable(),
  link_title: z.string().nullable(),
  /** For height messages; null where not known. */
  parent_origin: z.string().nullable(),
  return_url: z.string().nullable(),
  /** Until the account's password is given (`joinAccount`). */
  limited_to_lms: z.boolean(),
  /** The account is of this LMS alone, and may be joined with one that has a password. */
  can_join_account: z.boolean(),
})
export type Launch = z.infer<typeof Launch>

const launchParams = z.object({ launchId: z.string().regex(/^[A-Za-z0-9_-]{10,64}$/) })

/** Calls of this API for the first page, read in the same request. */
const FIRST_CALL =
  /^\/(?:(?:assignments|courses)\?skip=\d+&limit=\d+|courses\/\d+|assignments\/\d+(?:\/(?:submissions(?:\?skip=\d+&limit=\d+|\/counts|\/\d+)|runs|questions))?|student\/(?:dashboard|assignments\/\d+))$/
const firstCalls = z.array(z.string().max(200).regex(FIRST_CALL)).max(6).optional()

/** The page need not ask for these next. */
const LaunchSession = AccessToken.extend({
  launch: Launch,
  user: User,
  csrf_token: z.string(),
  /** Those that succeeded; `total` is the list's `X-Total-Count`. */
  first_replies: z.array(z.object({ path: z.string(), total: z.number().nullable(), body: z.unknown() })),
})
export type LaunchSession = z.infer<typeof LaunchSession>

export const openLaunch = defineEndpoint('post', '/auth/lti/session/:launchId', {
  summary:
    'Exchange the one-time code of a launch (60 s, once, in the browser that launched) for an access token; sets the cookie that a reload resumes with',
  access: 'public',
  params: launchParams,
  body: z.object({
    code: z.string().min(1).max(200),
    /** In the LMS's storage; a launch identified by cookie needs none. */
    storage_secret: z.string().min(1).max(200).optional(),
    first: firstCalls,
  }),
  reply: LaunchSession,
})

export const resumeLaunch = defineEndpoint('post', '/auth/lti/resume/:launchId', {
  summary: 'An access token for the same session after a reload, by the launch’s cookie',
  access: 'public',
  params: launchParams,
  body: z.object({ first: firstCalls }).optional(),
  reply: LaunchSession,
})

export const getLaunch = defineEndpoint('get', '/lti/launch', {
  summary: 'The launch the caller’s session comes from',
  access: allRoles,
  reply: Launch,
})

export const openInWindow = defineEndpoint('post', '/lti/launch/window', {
  summary: 'A one-time link to the same launch for a separate window, which does not have the frame’s cookies',
  access: allRoles,
  reply: z.object({ path: z.string() }),
})

export const SetUp = z.object({
  context_title: z.string().nullable(),
  link_title: z.string().nullable(),
  /** False for deep linking, where only the course is chosen. */
  has_link: z.boolean(),
  course_id: Id.nullable(),
  courses: z.array(z.object({ id: Id, name: z.string(), assignments: z.number().int() })),
  assignments: z.array(z.object({ id: Id, title: z.string(), status: z.enum(['draft', 'published']) })),
  copied_from: z
    .object({ course_id: Id, course_name: z.string(), assignment_id: Id.nullable(), title: z.string().nullable() })
    .nullable(),
})
export type SetUp = z.infer<typeof SetUp>

export const getSetUp = defineEndpoint('get', '/lti/launch/set-up', {
  summary: 'What the course and link of this launch can be linked to',
  access: ['instructor'],
  reply: SetUp,
})

export const setUpLaunch = defineEndpoint('post', '/lti/launch/set-up', {
  summary: 'Link the LMS’s course to a course, and its link to an assignment',
  access: ['instructor'],
  body: z.object({
    course: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('new'), name: lineOfText('Course name', 200), time_zone: TimeZone.optional() }),
        z.object({ kind: z.literal('existing'), course_id: Id }),
      ])
      .optional(),
    /** `copy`: a draft with the same papers, without anybody’s work. `none`: only the course. `later`: to be set up. */
    assignment: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('existing'), assignment_id: Id }),
      z.object({ kind: z.literal('copy'), assignment_id: Id }),
      z.object({ kind: z.literal('none') }),
      z.object({ kind: z.literal('later') }),
    ]),
  }),
  reply: Launch,
})

export const joinAccount = defineEndpoint('post', '/auth/lti/account', {
  summary:
    'Merge the account this LMS created into one that has a password, by signing in to it; its work is moved there',
  access: ['student', 'instructor'],
  body: z.object({ username: z.string().min(1).max(254), password: z.string().min(1).max(1024) }),
  reply: LaunchSession,
})
