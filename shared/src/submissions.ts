import { z } from 'zod'
import { Grade } from './grades.ts'
import {
  allRoles,
  BodyId,
  defineEndpoint,
  FormFlag,
  FormFlags,
  Id,
  Paging,
  positionUpTo,
  Timestamp,
} from './http/endpoint.ts'
import { MatchedBy } from './match-reasons.ts'
import { PaperProblem } from './paper-problems.ts'
import { TurnedPage } from './papers.ts'
import { PenMark } from './pen-marks.ts'
import { RegradeState } from './regrades.ts'
import { AdjustedScore } from './rules/adjust-score.ts'
import { Points } from './rules/points.ts'
import { ShownName, ShownStudent } from './users.ts'

export const SubmissionStatus = z.enum(['uploaded', 'queued', 'reading', 'grading', 'graded', 'failed'])
export type SubmissionStatus = z.infer<typeof SubmissionStatus>

export const SubmissionRow = z.object({
  id: Id,
  assignment_id: Id,
  /** The student's username, else the file's name without `.pdf`; “Paper 417” while names are hidden. */
  student_identifier: ShownName,
  student: ShownStudent.nullable(),
  /** The others of its group; omitted where there are none, and while names are hidden. */
  partners: z.array(ShownStudent).optional(),
  /** Why it is that student's; omitted if it has none, and for older papers, where it was not stored. */
  matched_by: MatchedBy.optional(),
  /** “Paper 417.pdf” while names are hidden. */
  file_name: ShownName,
  names_hidden: z.literal(true).optional(),
  page_count: z.number().int().nullable(),
  is_handwritten: z.boolean(),
  status: SubmissionStatus,
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** By which an approval says what it saw. */
  grade: Grade.pick({ id: true, revision: true }).nullable(),
  /** Those nobody has decided on. */
  problems: z.array(PaperProblem).optional(),
  /** Not graded until a teacher has decided on its problems. */
  held: z.literal(true).optional(),
  overall_score: z.number().nullable(),
  final_score_after_review: z.number().nullable(),
  manual_score_override: z.number().nullable(),
  /** To be graded by hand: the score leaves them out. */
  unscored_points: z.number(),
  /** Null without a score, and for older grades. */
  points: Points.nullable(),
  needs_review: z.boolean(),
  review_summary: z.string().nullable(),
  reviewed: z.boolean(),
  released: z.boolean(),
  /** Numbers of questions whose rubric changed since they were graded. */
  outdated: z.array(z.string()).optional(),
  regrade: RegradeState.nullable(),
  handed_in_by: z.enum(['teacher', 'student']),
  /** By a teacher, of a paper they uploaded. Omitted: the time is the student's, or that of the upload. */
  said_hand_in: z.enum(['time', 'on_time']).optional(),
  earlier_attempts: z.number().int(),
  late: z.boolean(),
  /** With the steps from the final score; omitted where nothing adjusts it. */
  adjusted: AdjustedScore.optional(),
  late_waived: z.literal(true).optional(),
  /** When it was handed in, as far as known, else uploaded. */
  created_at: Timestamp,
})
export type SubmissionRow = z.infer<typeof SubmissionRow>

export const Submission = SubmissionRow.extend({
  grade: Grade.nullable(),
  /** Viewers rotate these; boxes are of the rotated page. */
  turned_pages: z.array(TurnedPage),
  /** Other points for single people of its group; omitted where there are none, and while names are hidden. */
  exceptions: z.array(z.object({ student_id: Id, points: z.number(), reason: z.string() })).optional(),
  /** On its current file; omitted where there are none. */
  pen_marks: z.array(PenMark).optional(),
  /** A page each; omitted for a PDF, and while names are hidden. */
  photos: z.array(z.object({ type: z.enum(['jpeg', 'png', 'webp', 'heic']) })).optional(),
  position: z.number().int(),
  total: z.number().int(),
  previous_id: Id.nullable(),
  next_id: Id.nullable(),
})
export type Submission = z.infer<typeof Submission>

/**
 * `pending`: neither graded nor failed; `regrade`: open request; `outdated`: by an earlier rubric; `by_hand`: answers
 * only a person can grade. `flagged`, else `reviewed` by a teacher, else `suggested`; `graded` are all three.
 */
export const submissionFilters = [
  'all',
  'held',
  'flagged',
  'by_hand',
  'failed',
  'pending',
  'suggested',
  'reviewed',
  'graded',
  'unmatched',
  'late',
  'regrade',
  'outdated',
] as const
export type SubmissionFilter = (typeof submissionFilters)[number]

export const submissionSorts = ['id', 'student', 'submitted', 'status', 'score'] as const
export type SubmissionSort = (typeof submissionSorts)[number]

/**
 * `search`: names, usernames, identifiers, file names, `#id`; while names are hidden only `#id` and “Paper 417”, and
 * sorting by id or student is by paper number.
 */
export const SubmissionOrder = z.object({
  search: z.string().trim().max(200).default(''),
  status: z.enum(submissionFilters).default('all'),
  sort: z.enum(submissionSorts).default('id'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})
export type SubmissionOrder = z.infer<typeof SubmissionOrder>

const ids = z.object({ assignmentId: Id, submissionId: Id })
const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const listSubmissions = defineEndpoint('get', '/assignments/:assignmentId/submissions', {
  summary: 'The submissions of an assignment',
  query: Paging.extend(SubmissionOrder.shape),
  reply: z.array(SubmissionRow),
  hasTotalCount: true,
})

export const listSubmissionIds = defineEndpoint('get', '/assignments/:assignmentId/submissions/ids', {
  summary: 'The ids of all submissions on all pages of a list, and of their grades',
  query: SubmissionOrder,
  reply: z.array(SubmissionRow.pick({ id: true, grade: true })),
})

export const SubmissionCounts = z.object({
  all: z.number().int(),
  graded: z.number().int(),
  flagged: z.number().int(),
  held: z.number().int(),
  suggested: z.number().int(),
  /** By a teacher, and not flagged. */
  reviewed: z.number().int(),
  by_hand: z.number().int(),
  failed: z.number().int(),
  /** Failed, as the file cannot be read: another try is no use. */
  failed_files: z.number().int(),
  pending: z.number().int(),
  unmatched: z.number().int(),
  late: z.number().int(),
  regrade: z.number().int(),
  unreleased: z.number().int(),
  unreleased_matched: z.number().int(),
  /** By no teacher, whether released or not. */
  unapproved: z.number().int(),
  unreleased_reviewed: z.number().int(),
  /** By an earlier rubric, with questions changed since. */
  outdated: z.number().int(),
  graded_unmatched: z.number().int(),
  /** People beside one for each matched paper, as a group has one; omitted where there are none. */
  partners: z.object({ graded: z.number().int(), unreleased: z.number().int() }).optional(),
  /** Scores of deleted accounts, whose papers are none of the above. */
  retained: z.number().int(),
})
export type SubmissionCounts = z.infer<typeof SubmissionCounts>

export const countSubmissions = defineEndpoint('get', '/assignments/:assignmentId/submissions/counts', {
  summary: 'The number of submissions by status',
  reply: SubmissionCounts,
})

export const getSubmission = defineEndpoint('get', submissionPath, {
  summary: 'A submission with its grade, and its neighbours in the requested order',
  query: SubmissionOrder,
  reply: Submission,
})

export const getSubmissionFile = defineEndpoint('get', `${submissionPath}/file`, {
  summary: 'The paper’s PDF; supports range requests',
  access: allRoles,
  reply: z.string(),
  raw: 'application/pdf',
})

export const getSubmissionPage = defineEndpoint('get', `${submissionPath}/pages/:page.png`, {
  summary: 'One page of the paper as an image',
  params: ids.extend({ page: positionUpTo(10_000) }),
  query: z.object({ width: z.coerce.number().int().min(50).max(2000).default(1000) }),
  reply: z.string(),
  raw: 'image/png',
})

export const getSubmissionPhoto = defineEndpoint('get', `${submissionPath}/photos/:number`, {
  summary: 'The photo that a page was made of, before it was straightened',
  access: allRoles,
  params: ids.extend({ number: positionUpTo(1000) }),
  reply: z.string(),
  raw: 'image/jpeg',
})

/** Without where, when and with what it was taken. */
export const downloadSubmissionPhoto = defineEndpoint('get', `${submissionPath}/photos/:number/original`, {
  summary: 'The same as it was sent, to be saved',
  access: allRoles,
  params: ids.extend({ number: positionUpTo(1000) }),
  reply: z.string(),
  raw: 'application/octet-stream',
})

export const uploadSubmission = defineEndpoint('post', '/assignments/:assignmentId/upload/student_submission', {
  summary: 'Upload one student paper',
  status: 201,
  body: z.object({ is_handwritten: FormFlag.default(false) }),
  files: { file: 'one' },
  reply: SubmissionRow,
})

export const uploadSubmissions = defineEndpoint('post', '/assignments/:assignmentId/upload/student_submissions_bulk', {
  summary: 'Upload several student papers: all are stored, or none',
  status: 201,
  body: z.object({ are_handwritten: FormFlags }),
  files: { files: 'many' },
  reply: z.array(SubmissionRow),
})

export const gradeAnyway = defineEndpoint('post', `${submissionPath}/problems/decide`, {
  summary: 'Let a paper be graded though something seems to be wrong with it',
  reply: SubmissionRow,
})

export const splitPaper = defineEndpoint('post', `${submissionPath}/split`, {
  summary: 'Make two submissions of a file with the papers of two students',
  timeoutMs: 300_000,
  status: 201,
  body: z.object({
    /** Of the file, from 2. */
    second_begins_on: z.number().int().min(2, 'The second paper begins on page 2 or later.'),
  }),
  reply: z.object({ first: SubmissionRow, second: SubmissionRow }),
})

export const deleteSubmission = defineEndpoint('delete', submissionPath, {
  summary: 'Delete a submission with its grade',
  reply: z.object({ message: z.string() }),
})

export const deleteSubmissions = defineEndpoint('delete', '/assignments/:assignmentId/submissions/bulk', {
  summary: 'Delete several submissions with their grades',
  body: z.object({ submission_ids: z.array(BodyId).min(1, 'No submissions selected for deletion.').max(10_000) }),
  reply: z.object({
    results: z.object({
      total_requested: z.number().int(),
      total_deleted: z.number().int(),
      successful_deletions: z.array(Id),
      failed_deletions: z.array(z.object({ id: Id, title: ShownName })),
      validation_failures: z.array(z.object({ id: Id, error: z.string() })),
    }),
  }),
})
