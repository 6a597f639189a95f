import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { ColumnMeaning, RosterColumns } from './roster-columns.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText } from './rules/text.ts'

const blankToNull = (text: string | null | undefined) => text || null
/** A spreadsheet writes long numbers so, losing their last figures. */
const POWER_OF_TEN = /^\d+(?:[.,]\d+)?E\+\d+$/i
const SHORTENED =
  'A spreadsheet has shortened this number, so its last figures are lost. Make the column text there and export it again.'
const optionalLine = (what: string, max: number) => lineOfText(what, max).nullish().transform(blankToNull)

const optionalNumber = (what: string) =>
  optionalLine(what, 100).refine((text) => !text || !POWER_OF_TEN.test(text), `${what}: ${SHORTENED}`)

export const RosterEntry = z.object({
  email: EmailAddress,
  external_user_id: optionalNumber('LMS user ID'),
  sis_user_id: optionalNumber('Student number'),
  full_name: optionalLine('Full name', 200),
})
export type RosterEntry = z.output<typeof RosterEntry>

/** `row`: in the sheet, the header being row 1. */
export const RosterResult = z.object({
  row: z.number().int(),
  email: z.string(),
  success: z.boolean(),
  message: z.string(),
  created_user: z.boolean(),
  renamed: z.object({ student_id: Id, from: z.string() }).optional(),
})
export type RosterResult = z.infer<typeof RosterResult>

const totals = {
  total_processed: z.number().int(),
  successful_enrollments: z.number().int(),
  failed_enrollments: z.number().int(),
}

export const BulkRosterReply = z.object({
  ...totals,
  results: z.array(RosterResult),
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
  results: z.array(RosterResult),
  notes: z.array(z.string()),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type RosterJob = z.infer<typeof RosterJob>

const SuccessReply = z.object({ success: z.boolean(), message: z.string() })

export const addStudent = defineEndpoint('post', '/courses/:courseId/roster/add-student', {
  summary: 'Enrol a student by address; a student without an account is invited by mail',
  body: RosterEntry,
  reply: SuccessReply,
})

/** Mails to students a teacher adds, a day (UTC). */
export const InvitationLimit = z.object({
  per_day: z.number().int(),
  left: z.number().int(),
  /** Lower until the caller has confirmed their own address. */
  unconfirmed: z.literal(true).optional(),
})
export type InvitationLimit = z.infer<typeof InvitationLimit>

export const getInvitationLimit = defineEndpoint('get', '/courses/:courseId/roster/invitations', {
  summary: 'How many invitations the caller can send today',
  reply: InvitationLimit.extend({
    /** Students with an address who were never mailed a link to their account. */
    not_invited: z.number().int(),
  }),
})

export const inviteRoster = defineEndpoint('post', '/courses/:courseId/roster/invitations', {
  summary: 'Invite every student of the course who has an address and was never sent a link to their account',
  reply: SuccessReply.extend({ invited: z.number().int() }),
})

export const RosterPreview = z.object({
  system: z.string().nullable(),
  columns: z.array(
    z.object({
      index: z.number().int(),
      heading: z.string(),
      meaning: ColumnMeaning,
      /** The first non-empty cells, at most three. */
      samples: z.array(z.string()),
    }),
  ),
  problem: z.string().nullable(),
  students: z.number().int(),
  without_email: z.number().int(),
  first_students: z.array(
    z.object({
      row: z.number().int(),
      full_name: z.string().nullable(),
      email: z.string().nullable(),
      student_number: z.string().nullable(),
      lms_user_id: z.string().nullable(),
    }),
  ),
  renames: z.array(z.object({ row: z.number().int(), from: z.string(), to: z.string() })),
  refused_total: z.number().int(),
  refused: z.array(RosterResult.pick({ row: true, email: true, message: true })),
  notes: z.array(z.string()),
})
export type RosterPreview = z.infer<typeof RosterPreview>

export const previewRosterCsv = defineEndpoint('post', '/courses/:courseId/roster/preview-csv', {
  summary: 'How the columns and rows of a CSV file would be read; nothing is stored',
  body: z.object({ columns: RosterColumns.optional() }).prefault({}),
  files: { file: 'one' },
  fileType: 'csv',
  reply: RosterPreview,
})

export const addStudentsFromCsv = defineEndpoint('post', '/courses/:courseId/roster/bulk-add-csv', {
  summary: 'Enrol the students of a CSV file; bad rows are reported and the others enrolled',
  body: z
    .object({
      /** Set by a teacher; else by headings, one of which must be an email address. */
      columns: RosterColumns.optional(),
      /** `no`: people without an account can be invited later. */
      invite: z.enum(['yes', 'no']).default('yes'),
    })
    .prefault({}),
  files: { file: 'one' },
  fileType: 'csv',
  reply: BulkRosterReply,
})

export const removeFromRoster = defineEndpoint('delete', '/courses/:courseId/roster/:studentId', {
  summary: 'Remove a student from the roster; their work stays',
  reply: SuccessReply,
})

export const renameRosterStudent = defineEndpoint('put', '/courses/:courseId/roster/:studentId/name', {
  summary: 'Rename a student who has not used the account yet; administrators rename others too',
  body: z.object({ full_name: lineOfText('Full name', 200).refine((name) => name !== '', 'Full name is required') }),
  reply: SuccessReply,
})

export const resendRosterInvitation = defineEndpoint('post', '/courses/:courseId/roster/:studentId/invitation', {
  summary: 'Send the link, again or for the first time, to a student who is invited or has not confirmed the address',
  reply: SuccessReply,
})

export const listRosterJobs = defineEndpoint('get', '/courses/:courseId/roster/jobs', {
  summary: 'Recent roster imports that run as jobs, newest first',
  reply: z.array(RosterJob.omit({ results: true })),
})

export const getRosterJob = defineEndpoint('get', '/courses/:courseId/roster/jobs/:jobId', {
  summary: 'The progress of a roster import, and which rows failed',
  reply: RosterJob,
})

export const stopRosterJob = defineEndpoint('delete', '/courses/:courseId/roster/jobs/:jobId', {
  summary: 'Stop a roster import; enrolled students stay enrolled',
  reply: RosterJob,
})
