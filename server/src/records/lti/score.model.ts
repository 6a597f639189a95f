import type { ScoreState } from '@assay/shared/lti/lti.ts'
import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import type { Points } from '@assay/shared/rules/points.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

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
 * `held`: the platform is off or its course not linked. `later`: not accepted now. `refused`: never accepted.
 * `no_line_item`: nowhere to send it. `gone`: the activity no longer exists. The others: why not to send it.
 */
export type ReasonCode =
  | 'held'
  | 'later'
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
export interface LtiScoreDoc {
  /** `link/sub`, ours and theirs: the LMS's student, whichever account that is here. */
  _id: string
  link: number
  platform_id: number
  assignment_id: number
  user_id: number
  /** The student's id in the LMS. */
  sub: string
  submission_id: number | null
  wanted: WantedScore
  /** Incremented by each change of `wanted`: what was sent before is outdated. */
  change: number
  state: ScoreState
  /** For the instructor; null while all is well. */
  reason: ScoreReason | null
  /** Consecutive failures, and when to try again or, of one being sent, to ask the LMS. */
  attempts: number
  next_at: Date
  /** The job queue's claim under which it is being sent. */
  claim: string | null
  /** Of the last score sent: the next must be a second later at least. */
  stamped_at: Date | null
  /** Sent without a response yet. */
  unsure: SentScore | null
  accepted: (SentScore & { at: Date }) | null
  /** Null until the gradebook is read after a score was accepted. */
  result?: ReadResult | null
  /** When to read the gradebook, in the state `sent`; null: not. */
  check_at?: Date | null
  /** Back in the LMS's course: what its gradebook no longer shows is sent again. */
  returned?: boolean
  /** Sent again as the gradebook no longer showed it: not once more before it shows an entry. */
  resent?: boolean
  updated_at: Date
}

const mixed = { type: Mixed, default: null }

const scoreSchema = defineSchema<LtiScoreDoc>({
  _id: String,
  link: { type: Number, required: true },
  platform_id: { type: Number, required: true },
  assignment_id: { type: Number, required: true },
  user_id: { type: Number, required: true },
  sub: { type: String, required: true },
  submission_id: { type: Number, default: null },
  wanted: { type: Mixed, required: true },
  change: { type: Number, required: true },
  state: { type: String, required: true },
  reason: mixed,
  attempts: { type: Number, default: 0 },
  next_at: { type: Date, required: true },
  claim: { type: String, default: null },
  stamped_at: { type: Date, default: null },
  unsure: mixed,
  accepted: mixed,
  result: mixed,
  check_at: { type: Date, default: null },
  returned: { type: Boolean, default: false },
  resent: { type: Boolean, default: false },
  updated_at: { type: Date, required: true },
})
scoreSchema.index({ platform_id: 1, state: 1, next_at: 1 })
scoreSchema.index({ assignment_id: 1, submission_id: 1 })
scoreSchema.index({ link: 1, state: 1 })
scoreSchema.index({ platform_id: 1, check_at: 1 })

export const LtiScoreModel = defineModel('LtiScore', scoreSchema, 'lti_scores')

export const scoreId = (link: number, sub: string) => `${link}/${sub}`
