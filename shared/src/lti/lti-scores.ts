import { z } from 'zod'
import { defineEndpoint } from '../http/endpoint.ts'
import { BodyId, Id, Paging, Timestamp } from '../http/ids.ts'
import { teachingRoles } from '../users.ts'
import { LmsKind, ScoreState } from './lti.ts'

/**
 * Scores by state; just released ones are `waiting`, cleared ones in none. The last three: what the gradebook shows of
 * those sent, as far as it has been read.
 */
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

/**
 * What the gradebook shows beside what was sent. `unknown`: the LMS does not let Assay read results, or shows none
 * where there may be one, as Moodle does for 0 points.
 */
export const ResultState = z.enum(['same', 'different', 'missing', 'unknown'])
export type ResultState = z.infer<typeof ResultState>

export const LmsResult = z.object({
  state: ResultState,
  /** In the gradebook's points, of its maximum; null where it shows none. */
  points: z.number().nullable(),
  maximum: z.number().nullable(),
  read_at: Timestamp,
})
export type LmsResult = z.infer<typeof LmsResult>

/** What is in the gradebook of one LMS course, by way of the link that opens this assignment there. */
export const LmsScoresOfLink = z.object({
  link_id: Id,
  platform: z.object({ name: z.string(), lms: LmsKind }),
  /** The LMS's title of its course: a second section has a line of its own. */
  course_title: z.string().nullable(),
  /** The LMS's title of the activity, and when it was first opened: one assignment may have two in one course. */
  link_title: z.string().nullable(),
  opened_at: Timestamp,
  /** Since when the LMS has no column and refuses a new one, as `problem` says. Nothing is sent there. */
  gone_since: Timestamp.nullable(),
  /** `none_yet`: found or created when the first score is sent. `missing`: there is none; `problem` says why. */
  line_item: z.enum(['known', 'none_yet', 'missing']),
  counts: Counts,
  checking: z.boolean(),
  /** When it was last read; null before that. */
  checked_at: Timestamp.nullable(),
  /** Why scores wait or cannot be sent, as a message; null while all is well. */
  problem: z.string().nullable(),
  /** The LMS's page where a column that takes no scores is unlocked, if that is the problem. */
  gradebook_url: z.url().nullable(),
  /** When waiting scores are tried again; null where none wait, or they are being sent. */
  next_try_at: Timestamp.nullable(),
})
export type LmsScoresOfLink = z.infer<typeof LmsScoresOfLink>

export const LmsScores = z.object({
  /** False where no LMS opens this assignment: then the rest is empty. */
  linked: z.boolean(),
  published: z.boolean(),
  links: z.array(LmsScoresOfLink),
  /** Released grades of students whom no LMS course linked to this assignment lists. */
  unknown_students: z.number().int(),
  /** How many scores go to the LMS once what is graded and not released is. */
  on_release: z.number().int(),
})
export type LmsScores = z.infer<typeof LmsScores>

export const LmsScore = z.object({
  link_id: Id,
  platform_name: z.string(),
  /** `Moodle`, whatever the school calls it; its name here where the product is not known. */
  product_name: z.string(),
  course_title: z.string().nullable(),
  submission_id: Id.nullable(),
  /** Null while names are hidden. */
  student_id: Id.nullable(),
  state: ScoreState,
  /** Why it was not accepted, or is tried again, as a message. */
  reason: z.string().nullable(),
  next_try_at: Timestamp.nullable(),
  /** What the LMS accepted last, in its own points; null where nothing of ours is there. */
  recorded: z.object({ points: z.number(), maximum: z.number(), at: Timestamp }).nullable(),
  /** What the gradebook showed when it was last read; null before that, and while another score is on its way. */
  result: LmsResult.nullable(),
  /** True while what is there is to be removed, or was. */
  cleared: z.boolean(),
})
export type LmsScore = z.infer<typeof LmsScore>

export const getLmsScores = defineEndpoint('get', '/assignments/:assignmentId/lms-scores', {
  summary: 'The state of sending an assignment’s scores to its LMS',
  access: teachingRoles,
  reply: LmsScores,
})

export const listLmsScores = defineEndpoint('get', '/assignments/:assignmentId/lms-scores/rows', {
  summary: 'The score of each student in the LMS; `submission_ids`, separated by commas, selects submissions',
  access: teachingRoles,
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
  access: teachingRoles,
  body: z
    .object({
      submission_ids: z.array(BodyId).min(1).max(10_000).optional(),
      /** Without `submission_ids`: also scores that the gradebook shows as something else. */
      changed_too: z.boolean().optional(),
    })
    .optional(),
  reply: z.object({ queued: z.number().int(), scores: LmsScores }),
})

export const checkLmsScores = defineEndpoint('post', '/assignments/:assignmentId/lms-scores/check', {
  summary: 'Read what the LMS’s gradebook shows, and compare it with what was sent',
  access: teachingRoles,
  reply: z.object({ queued: z.number().int(), scores: LmsScores }),
})

export const detachLmsLink = defineEndpoint('post', '/assignments/:assignmentId/lms-scores/links/:linkId/detach', {
  summary: 'Detach an activity that is gone from the LMS; opened from there again, it is attached again',
  access: teachingRoles,
  reply: LmsScores,
})
