import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, Timestamp } from './ids.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText } from './rules/text.ts'
import { teachingRoles } from './users.ts'

const blankToNull = (text: string | null | undefined) => text || null
const optionalLine = (what: string, max: number) => lineOfText(what, max).nullish().transform(blankToNull)

/** One student as a teacher names them: the address, and the school's own numbers where there are any. */
export const RosterEntry = z.object({
  email: EmailAddress,
  external_user_id: optionalLine('External user ID', 100),
  sis_user_id: optionalLine('SIS user ID', 100),
  full_name: optionalLine('Full name', 200),
})
export type RosterEntry = z.output<typeof RosterEntry>

/** What became of one row. `row` is the row's number in the sheet, the header being row 1. */
export const RosterResult = z.object({
  row: z.number().int(),
  email: z.string(),
  success: z.boolean(),
  message: z.string(),
  created_user: z.boolean(),
})
export type RosterResult = z.infer<typeof RosterResult>

const totals = {
  total_processed: z.number().int(),
  successful_enrollments: z.number().int(),
  failed_enrollments: z.number().int(),
}

/** What became of a file. A long one is still being worked through: then `job_id` tells where to ask. */
export const BulkRosterReply = z.object({
  ...totals,
  results: z.array(RosterResult),
  /** What the reader of the file should know: that letters were guessed, say. */
  notes: z.array(z.string()),
  job_id: Id.nullable(),
})
export type BulkRosterReply = z.infer<typeof BulkRosterReply>

export const RosterJob = z.object({
  id: Id,
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  file_name: z.string(),
  total_rows: z.number().int(),
  ...totals,
  /** Only the rows that failed: those that went well are in the roster. */
  results: z.array(RosterResult),
  notes: z.array(z.string()),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type RosterJob = z.infer<typeof RosterJob>

const courseId = z.object({ courseId: Id })
const jobIds = courseId.extend({ jobId: Id })
const SuccessReply = z.object({ success: z.boolean(), message: z.string() })

export const addStudent = defineEndpoint({
  method: 'post',
  path: '/courses/:courseId/roster/add-student',
  summary: 'Enrol a student by address; one who has no account yet is invited by mail',
  access: teachingRoles,
  params: courseId,
  body: RosterEntry,
  reply: SuccessReply,
})

export const addStudentsFromCsv = defineEndpoint({
  method: 'post',
  path: '/courses/:courseId/roster/bulk-add-csv',
  summary: 'Enrol the students of a CSV file; bad rows are named and good ones kept',
  access: teachingRoles,
  params: courseId,
  files: { file: 'one' },
  fileType: 'csv',
  reply: BulkRosterReply,
})

export const removeFromRoster = defineEndpoint({
  method: 'delete',
  path: '/courses/:courseId/roster/:studentId',
  summary: 'Take a student off the roster; their work stays',
  access: teachingRoles,
  params: courseId.extend({ studentId: Id }),
  reply: SuccessReply,
})

export const inviteAgain = defineEndpoint({
  method: 'post',
  path: '/courses/:courseId/roster/:studentId/invitation',
  summary: 'Mail the link once more to a student who is invited or whose address waits for confirmation',
  access: teachingRoles,
  params: courseId.extend({ studentId: Id }),
  reply: SuccessReply,
})

export const listRosterJobs = defineEndpoint({
  method: 'get',
  path: '/courses/:courseId/roster/jobs',
  summary: 'The files of the last days that were long enough to be worked through as a job, newest first',
  access: teachingRoles,
  params: courseId,
  reply: z.array(RosterJob.omit({ results: true })),
})

export const getRosterJob = defineEndpoint({
  method: 'get',
  path: '/courses/:courseId/roster/jobs/:jobId',
  summary: 'How far a long file has come, and which rows failed',
  access: teachingRoles,
  params: jobIds,
  reply: RosterJob,
})

export const stopRosterJob = defineEndpoint({
  method: 'delete',
  path: '/courses/:courseId/roster/jobs/:jobId',
  summary: 'Stop working through a long file; who is enrolled stays enrolled',
  access: teachingRoles,
  params: jobIds,
  reply: RosterJob,
})
