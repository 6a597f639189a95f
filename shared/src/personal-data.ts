import { z } from 'zod'
import { allRoles, defineEndpoint, Timestamp } from './http/endpoint.ts'
import { Points } from './rules/points.ts'
import { AccountStatus, User } from './users.ts'

/** `placeholder`: the person's new name, “Deleted student 4f2a”. */
export const ErasureProgress = z.object({
  state: z.enum(['running', 'done', 'failed']),
  placeholder: z.string(),
  doing: z.string(),
  done: z.number().int(),
  total: z.number().int(),
  /** A step may wait an hour for files to be old enough. */
  waiting: z.boolean(),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type ErasureProgress = z.infer<typeof ErasureProgress>

/** Once erasure was asked for, only `progress` counts. */
export const ErasurePreview = z.object({
  blockers: z.array(z.string()),
  papers: z.number().int(),
  retained_grades: z.number().int(),
  /** Courses that others teach on; courses without students are deleted. */
  courses_left: z.number().int(),
  courses_deleted: z.number().int(),
  assignments_deleted: z.number().int(),
  /** LMSs that list the person now: their next roster, or a launch, makes a new account. */
  lms_names: z.array(z.string()),
  progress: ErasureProgress.nullable(),
})
export type ErasurePreview = z.infer<typeof ErasurePreview>

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
  /** So that nobody deletes the account of the next row. */
  body: z.object({ username: z.string().max(254) }),
  reply: ErasurePreview,
})

const Named = z.object({ id: z.number(), name: z.string() })
const when = Timestamp.nullable()

const ExportedAccount = z.object({
  ...User.omit({ email_verified: true }).shape,
  email_confirmed_at: when,
  student_number: z.string().nullable(),
  state: AccountStatus,
  /** By kind of mail; null: all. */
  notifications: z.record(z.string(), z.boolean()).nullable(),
  last_seen_at: when,
})

const ExportedCourse = z.object({
  course: Named,
  as: z.enum(['student', 'invited', 'instructor']),
  since: when,
  lms_user_id: z.string().nullable(),
  student_number: z.string().nullable(),
})

const ExportedFile = z.object({
  /** Null where a teacher uploaded it, who may have named it otherwise. */
  name: z.string().nullable(),
  bytes: z.number(),
  handed_in_at: Timestamp,
  handed_in_by: z.enum(['teacher', 'student']),
  late: z.boolean(),
  path: z.string().nullable(),
  /** Paths in the ZIP; absent for a PDF. */
  photos: z.array(z.string()).optional(),
})

const ReleasedGrade = z.object({
  /** In percent, as it counts. */
  score: z.number().nullable(),
  points: Points.nullable(),
  released_at: Timestamp,
  feedback: z.string(),
  feedback_by: z.enum(['ai', 'teacher']),
  criteria: z.array(
    z.object({ criterion: z.string(), points: z.number().nullable(), of: z.number(), feedback: z.array(z.string()) }),
  ),
  path: z.string().nullable(),
})

const ExportedRegrade = z.object({
  asked_at: Timestamp,
  reason: z.string(),
  state: z.string(),
  answer: z.string().nullable(),
  answered_at: when,
})

const Unreleased = z.object({
  state: z.string(),
  file_name: z.string(),
  identified_as: z.string(),
  /** In percent, by grader and teacher. */
  suggested_score: z.number().nullable(),
  teachers_score: z.number().nullable(),
  summary: z.string(),
  teachers_feedback: z.string().nullable(),
  review_reasons: z.array(z.string()),
  suggestions: z.array(
    z.object({
      made_at: when,
      criteria: z.array(
        z.object({ criterion: z.string(), points: z.number().nullable(), of: z.number(), feedback: z.string() }),
      ),
    }),
  ),
  answers: z.array(z.object({ question_id: z.string(), text: z.string() })),
  corrections: z.array(
    z.object({ question_id: z.string(), text: z.string().nullable(), read: z.string(), at: Timestamp }),
  ),
  pen_marks: z.array(z.object({ kind: z.string(), page: z.number(), text: z.string() })),
  read_by_models: z.array(z.string()),
  said_by_models: z.array(z.string()),
  /** Those sharing words or wrong answers; whose they are is others' data. */
  alike_papers: z.number(),
})

const ExportedPaper = z.object({
  submission_id: z.number(),
  assignment: Named,
  course: Named.nullable(),
  paper: ExportedFile,
  earlier_papers: z.array(ExportedFile),
  released_grade: ReleasedGrade.nullable(),
  regrade_requests: z.array(ExportedRegrade),
  unreleased: Unreleased.optional(),
})

/** `data.json` of one's own or an administrator's export. */
export const ExportedData = z.object({
  format: z.literal('assay-personal-data/1'),
  exported_at: Timestamp,
  /** `school`: also what is stored and not released. */
  scope: z.enum(['own', 'school']),
  account: ExportedAccount,
  joined_accounts: z.array(ExportedAccount),
  sessions: z.array(
    z.object({ started_at: Timestamp, last_used_at: when, expires_at: Timestamp, from_lms: z.boolean() }),
  ),
  courses: z.array(ExportedCourse),
  extensions: z.array(z.object({ assignment: Named, due_at: Timestamp, closes_at: when })),
  groups: z.array(z.object({ assignment: Named, name: z.string(), since: Timestamp })),
  papers: z.array(ExportedPaper),
  photo_drafts: z.array(z.object({ assignment: Named, expires_at: Timestamp, photos: z.array(z.string()) })),
  lms: z.object({
    identities: z.array(z.object({ issuer: z.string(), user_id: z.string(), since: Timestamp })),
    memberships: z.array(
      z.object({
        course: z.string().nullable(),
        role: z.string().nullable(),
        state: z.string(),
        name: z.string().nullable(),
        email: z.string().nullable(),
        number: z.string().nullable(),
        updated_at: Timestamp,
      }),
    ),
    launches: z.array(z.object({ at: Timestamp, role: z.string() })),
    scores: z.array(z.object({ assignment: Named, score: Points.nullable(), comment: z.string(), at: Timestamp })),
  }),
  /** Waiting or failed rows with the person's address, for an administrator. */
  roster_rows: z.array(z.unknown()).optional(),
  /** What the person did, or was done to their account, newest first. `subject`: ids. */
  activity: z.array(
    z.object({
      at: Timestamp,
      action: z.string(),
      subject: z.record(z.string(), z.number()),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    }),
  ),
  left_out: z.array(z.object({ what: z.string(), why: z.string() })),
})
export type ExportedData = z.infer<typeof ExportedData>
