import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Paging, Timestamp } from '../http/endpoint.ts'
import { LmsKind, ScoreState } from './lti.ts'

/** Just released scores are `waiting`, cleared ones in none. The last three: the gradebook's, as far as read. */
const Counts = z.object({
  waiting: z.number().int(),
  sending: z.number().int(),
  sent: z.number().int(),
  refused: z.number().int(),
  off: z.number().int(),
  in_gradebook: z.number().int(),
  different: z.number().int(),
  missing: z.number().int(),
})

/** `unknown`: the LMS does not let Assay read results, or shows none where there may be one (Moodle's 0 points). */
export const ResultState = z.enum(['same', 'different', 'missing', 'unknown'])
export type ResultState = z.infer<typeof ResultState>

export const LmsResult = z.object({
  state: ResultState,
  /** The gradebook's own; null where it shows none. */
  points: z.number().nullable(),
  maximum: z.number().nullable(),
  read_at: Timestamp,
})
export type LmsResult = z.infer<typeof LmsResult>

export const LmsScoresOfLink = z.object({
  link_id: Id,
  platform: z.object({ name: z.string(), lms: LmsKind }),
  course_title: z.string().nullable(),
  /** One assignment may have two activities in one course. */
  link_title: z.string().nullable(),
  opened_at: Timestamp,
  /** The LMS has no column and refuses a new one: nothing is sent. */
  gone_since: Timestamp.nullable(),
  /** `none_yet`: found or created with the first score. `missing`: `problem` says why. */
  line_item: z.enum(['known', 'none_yet', 'missing']),
  counts: Counts,
  checking: z.boolean(),
  checked_at: Timestamp.nullable(),
  problem: z.string().nullable(),
  gradebook_url: z.url().nullable(),
  /** Null where none wait, or they are being sent. */
  next_try_at: Timestamp.nullable(),
})
export type LmsScoresOfLink = z.infer<typeof LmsScoresOfLink>

export const LmsScores = z.object({
  /** False: no LMS opens this assignment, and the rest is empty. */
  linked: z.boolean(),
  published: z.boolean(),
  links: z.array(LmsScoresOfLink),
  /** Released grades of students in no LMS course linked here. */
  unknown_students: z.number().int(),
  /** Scores to be sent once everything graded is released. */
  on_release: z.number().int(),
})
export type LmsScores = z.infer<typeof LmsScores>

export const LmsScore = z.object({
  link_id: Id,
  platform_name: z.string(),
  /** `Moodle`; the platform's name where the product is not known. */
  product_name: z.string(),
  course_title: z.string().nullable(),
  submission_id: Id.nullable(),
  student_id: Id.nullable(),
  state: ScoreState,
  reason: z.string().nullable(),
  next_try_at: Timestamp.nullable(),
  recorded: z.object({ points: z.number(), maximum: z.number(), at: Timestamp }).nullable(),
  /** When last read; null before, and while another score is on its way. */
  result: LmsResult.nullable(),
  /** What is there is to be removed, or was. */
  cleared: z.boolean(),
})
export type LmsScore = z.infer<typeof LmsScore>

export const getLmsScores = defineEndpoint('get', '/assignments/:assignmentId/lms-scores', {
  summary: 'The state of sending an assignment’s scores to its LMS',
  reply: LmsScores,
})

export const listLmsScores = defineEndpoint('get', '/assignments/:assignmentId/lms-scores/rows', {
  summary: 'The score of each student in the LMS; `submission_ids`, separated by commas, selects submissions',
  query: Paging.extend({
    submission_ids: z
      .string()
      .transform((text) => text.split(',').map(Number))
      .pipe(z.array(BodyId).min(1).max(500))
      .optional(),
  }),
  reply: z.array(LmsScore),
  hasTotalCount: true,
})

export const sendLmsScores = defineEndpoint('post', '/assignments/:assignmentId/lms-scores/send', {
  summary:
    'Send scores again: those of some submissions, or all but those that were changed in the LMS (`changed_too`: these as well)',
  body: z
    .object({
      submission_ids: z.array(BodyId).min(1).max(10_000).optional(),
      /** Without `submission_ids`: scores that the gradebook shows differently too. */
      changed_too: z.boolean().optional(),
    })
    .optional(),
  reply: z.object({ queued: z.number().int(), scores: LmsScores }),
})

export const checkLmsScores = defineEndpoint('post', '/assignments/:assignmentId/lms-scores/check', {
  summary: 'Read what the LMS’s gradebook shows, and compare it with what was sent',
  reply: z.object({ queued: z.number().int(), scores: LmsScores }),
})

export const detachLmsLink = defineEndpoint('post', '/assignments/:assignmentId/lms-scores/links/:linkId/detach', {
  summary: 'Detach an activity that is gone from the LMS; opened from there again, it is attached again',
  reply: LmsScores,
})
