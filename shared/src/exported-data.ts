import { z } from 'zod'
import { Timestamp } from './http/ids.ts'
import { Points } from './rules/points.ts'
import { AccountStatus, Role } from './users.ts'

const Named = z.object({ id: z.number(), name: z.string() })
const when = Timestamp.nullable()

const ExportedAccount = z.object({
  id: z.number(),
  username: z.string(),
  full_name: z.string().nullable(),
  email: z.string(),
  email_confirmed_at: when,
  institution: z.string().nullable(),
  student_number: z.string().nullable(),
  role: Role,
  state: AccountStatus,
  from_lms: z.boolean(),
  /** By kind of mail; null: all. */
  notifications: z.record(z.string(), z.boolean()).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_seen_at: when,
})

const ExportedCourse = z.object({
  course: Named,
  as: z.enum(['student', 'invited', 'instructor']),
  since: when,
  /** The school's numbers for the student in this course. */
  lms_user_id: z.string().nullable(),
  student_number: z.string().nullable(),
})

const ExportedFile = z.object({
  /** As the student named it; null where a teacher uploaded it, who may have named it otherwise. */
  name: z.string().nullable(),
  bytes: z.number(),
  handed_in_at: Timestamp,
  handed_in_by: z.enum(['teacher', 'student']),
  late: z.boolean(),
  /** Where it is in the ZIP; null where the file is gone. */
  path: z.string().nullable(),
  /** The photos it was made of, in the ZIP; absent where it came as a PDF. */
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
  /** The graded paper in the ZIP; null where it could not be drawn. */
  path: z.string().nullable(),
})

const ExportedRegrade = z.object({
  asked_at: Timestamp,
  reason: z.string(),
  state: z.string(),
  answer: z.string().nullable(),
  answered_at: when,
})

/** What is stored of a paper and was not released: only in an administrator's export. */
const Unreleased = z.object({
  state: z.string(),
  /** As the file was uploaded, with what its name was matched by. */
  file_name: z.string(),
  identified_as: z.string(),
  /** The grader's and the teacher's, in percent; with their sentences. */
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
  /** As read from the paper, and corrected. */
  answers: z.array(z.object({ question_id: z.string(), text: z.string() })),
  corrections: z.array(
    z.object({ question_id: z.string(), text: z.string().nullable(), read: z.string(), at: Timestamp }),
  ),
  /** What graders drew on its pages, and their words where they wrote. */
  pen_marks: z.array(z.object({ kind: z.string(), page: z.number(), text: z.string() })),
  /** What AI models read and said, word for word. */
  read_by_models: z.array(z.string()),
  said_by_models: z.array(z.string()),
  /** With how many papers it shares words or wrong answers; whose they are is others' data. */
  alike_papers: z.number(),
})

const ExportedPaper = z.object({
  submission_id: z.number(),
  assignment: Named,
  course: Named.nullable(),
  paper: ExportedFile,
  earlier_papers: z.array(ExportedFile),
  /** Null: none is released. */
  released_grade: ReleasedGrade.nullable(),
  regrade_requests: z.array(ExportedRegrade),
  unreleased: Unreleased.optional(),
})

/** `data.json` of the ZIP file that one's own or an administrator's export is. Times are ISO 8601 in UTC. */
export const ExportedData = z.object({
  format: z.literal('assay-personal-data/1'),
  exported_at: Timestamp,
  /** `own`: what the person may see. `school`: also what is stored and not released. */
  scope: z.enum(['own', 'school']),
  account: ExportedAccount,
  /** Accounts of LMSs that were joined with it. */
  joined_accounts: z.array(ExportedAccount),
  sessions: z.array(
    z.object({ started_at: Timestamp, last_used_at: when, expires_at: Timestamp, from_lms: z.boolean() }),
  ),
  courses: z.array(ExportedCourse),
  extensions: z.array(z.object({ assignment: Named, due_at: Timestamp, closes_at: when })),
  papers: z.array(ExportedPaper),
  /** A student's photos that are not handed in yet, in the ZIP. */
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
    /** Scores the LMS has accepted. */
    scores: z.array(z.object({ assignment: Named, score: Points.nullable(), comment: z.string(), at: Timestamp })),
  }),
  /** Rows of rosters that wait or failed, with the person's address. Only in an administrator's export. */
  roster_rows: z.array(z.unknown()).optional(),
  /** Newest first: what the person did, and what was done to their account. `subject`: ids. */
  activity: z.array(
    z.object({
      at: Timestamp,
      action: z.string(),
      subject: z.record(z.string(), z.number()),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    }),
  ),
  /** What is stored and not here, and why. */
  left_out: z.array(z.object({ what: z.string(), why: z.string() })),
})
export type ExportedData = z.infer<typeof ExportedData>
