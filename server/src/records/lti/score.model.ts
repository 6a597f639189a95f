import type { ScoreState } from '@assay/shared/lti/lti.ts'
import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface WantedScore {
  /** Null clears what is there. */
  score: Points | null
  /** Plain text, at most as long as is sent. */
  comment: string
  revision: number
}

/** `points` of the line item's `maximum` at the time; null points clear. */
export interface SentScore extends WantedScore {
  points: number | null
  maximum: number
  stamp: Date
}

/** As last read, beside what the LMS had accepted. */
export interface ReadResult {
  state: ResultState
  /** In the gradebook's own points, of its maximum; null where it shows none. */
  points: number | null
  maximum: number | null
  at: Date
}

export type ScoreReason = { code: ReasonCode; message: string }

/**
 * `held`: the platform is off or its course not linked. `later`: not accepted now. `locked`: not accepted again and
 * again, though the LMS answers for the line item. `refused`: never accepted.
 * `no_line_item`: nowhere to send it. `gone`: the activity no longer exists. The others: why not to send it.
 */
export type ReasonCode =
  | 'held'
  | 'later'
  | 'locked'
  | 'refused'
  | 'no_line_item'
  | 'gone'
  | 'test_student'
  | 'no_student'
  | 'not_released'

/**
 * One row per student and line item (by its link). Stored before anything is sent, and the response after; after a
 * crash in between `unsure` has what was sent, and the LMS is asked.
 */
const scoreSchema = schemaOf({
  /** `link/sub`, ours and theirs: the LMS's student, whichever account that is here. */
  _id: field.id(String),
  link: field.required(Number),
  platform_id: field.required(Number),
  assignment_id: field.required(Number),
  user_id: field.required(Number),
  /** The student's id in the LMS. */
  sub: field.required(String),
  submission_id: field.nullable(Number),
  wanted: field.required<WantedScore>(Mixed),
  /** Incremented by each change of `wanted`: what was sent before is outdated. */
  change: field.required(Number),
  state: field.required<ScoreState>(String),
  /** For the instructor; null while all is well. */
  reason: field.nullable<ScoreReason>(Mixed),
  /** Consecutive failures, and when to try again or, of one being sent, to ask the LMS. */
  attempts: field.withDefault(Number, 0),
  next_at: field.required(Date),
  /** The job queue's claim under which it is being sent. */
  claim: field.nullable(String),
  /** Of the last score sent: the next must be a second later at least. */
  stamped_at: field.nullable(Date),
  /** Sent without a response yet. */
  unsure: field.nullable<SentScore>(Mixed),
  accepted: field.nullable<SentScore & { at: Date }>(Mixed),
  /** Null until the gradebook is read after a score was accepted. */
  result: field.optional<ReadResult | null>(Mixed, null),
  /** When to read the gradebook, in the state `sent`; null: not. */
  check_at: field.optional<Date | null>(Date, null),
  /** Back in the LMS's course: what its gradebook no longer shows is sent again. */
  returned: field.optional(Boolean, false),
  /** Sent again as the gradebook no longer showed it: not once more before it shows an entry. */
  resent: field.optional(Boolean, false),
  updated_at: field.required(Date),
})
export type LtiScoreDoc = DocOf<typeof scoreSchema>
scoreSchema.index({ platform_id: 1, state: 1, next_at: 1 })
scoreSchema.index({ assignment_id: 1, submission_id: 1 })
scoreSchema.index({ link: 1, state: 1 })
scoreSchema.index({ platform_id: 1, check_at: 1 })

export const LtiScoreModel = defineModel('LtiScore', scoreSchema, 'lti_scores')

export const scoreId = (link: number, sub: string) => `${link}/${sub}`
