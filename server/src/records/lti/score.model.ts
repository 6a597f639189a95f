import type { ScoreState } from '@assay/shared/lti/lti.ts'
import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface WantedScore {
  score: Points | null
  comment: string
  revision: number
}

/** `points` of the line item's `maximum` then; null clears. */
export interface SentScore extends WantedScore {
  points: number | null
  maximum: number
  stamp: Date
}

export interface ReadResult {
  state: ResultState
  /** In the gradebook's own points and maximum; null where it shows none. */
  points: number | null
  maximum: number | null
  at: Date
}

export type ScoreReason = { code: ReasonCode; message: string }

/**
 * `held`: the platform is off or its course not linked. `later`: not accepted now. `locked`: not accepted repeatedly,
 * though the LMS answers for the line item. `refused`: never accepted. `no_line_item`: nowhere to send it. `gone`: the
 * activity no longer exists. The others: why not to send it.
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

/** What is sent is stored before, in `unsure`, so that the LMS is asked after a crash. */
const scoreSchema = schemaOf({
  /** `link/sub`. */
  _id: field.id(String),
  link: field.required(Number),
  platform_id: field.required(Number),
  assignment_id: field.required(Number),
  user_id: field.required(Number),
  sub: field.required(String),
  submission_id: field.nullable(Number),
  wanted: field.required<WantedScore>(Mixed),
  /** Incremented with `wanted`: what was sent before is outdated. */
  change: field.required(Number),
  state: field.required<ScoreState>(String),
  reason: field.nullable<ScoreReason>(Mixed),
  /** Consecutive failures, and when to try again or, if being sent, to ask the LMS. */
  attempts: field.withDefault(Number, 0),
  next_at: field.required(Date),
  claim: field.nullable(String),
  /** The next must be at least a second later. */
  stamped_at: field.nullable(Date),
  unsure: field.nullable<SentScore>(Mixed),
  accepted: field.nullable<SentScore & { at: Date }>(Mixed),
  /** Null until the gradebook is read after an accepted score. */
  result: field.optional<ReadResult | null>(Mixed, null),
  /** When to read the gradebook, if `sent`; null: not. */
  check_at: field.optional<Date | null>(Date, null),
  /** In the LMS's course again: what its gradebook no longer shows is sent again. */
  returned: field.optional(Boolean, false),
  /** Sent again, and not once more before the gradebook shows an entry. */
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

/** A platform that accepts no scores is paused, so that its rows need not fail one by one. */
const platformPauseSchema = schemaOf({
  _id: field.id(Number),
  failures: field.required(Number),
  resume_at: field.required(Date),
  problem: field.required(String),
})
export type LtiPlatformPauseDoc = DocOf<typeof platformPauseSchema>
export const LtiPlatformPauseModel = defineModel('LtiPlatformPause', platformPauseSchema, 'lti_platform_pauses')

const ledgerDueSchema = schemaOf({
  _id: field.id(Number),
  /** A job that started with an earlier mark runs again. */
  mark: field.required(String),
})
export const LtiLedgerDueModel = defineModel('LtiLedgerDue', ledgerDueSchema, 'lti_ledgers_due')
