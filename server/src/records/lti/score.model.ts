import type { ScoreState } from '@assay/shared/lti/lti.ts'
import type { ResultState } from '@assay/shared/lti/lti-scores.ts'
import mongoose from 'mongoose'

/** What the LMS should have. */
export interface WantedScore {
  /** In percent; null clears what is there. */
  percent: number | null
  /** Plain text, at most as long as is sent. */
  comment: string
  /** The release it comes from. */
  revision: number
}

/** A score as sent. `points` of `maximum`, as the line item had it then; null points clear. */
export interface SentScore extends WantedScore {
  points: number | null
  maximum: number
  /** Its timestamp. */
  stamp: Date
}

/** What the LMS's gradebook showed when it was last read, beside what it had accepted. */
export interface ReadResult {
  state: ResultState
  /** In the gradebook's own points, of its maximum; null where it shows none. */
  points: number | null
  maximum: number | null
  at: Date
}

export type ScoreReason = { code: ReasonCode; message: string }

/**
 * `held`: the platform is off or its course is not linked. `later`: the LMS could not accept it just now. `refused`: it would
 * not. `no_line_item`: there is nowhere to send it. `gone`:
 * nor will there be, as the activity is gone from the LMS. The others say why it is not to be sent.
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
 * The ledger: one row per student and line item (by way of its link). What is wanted is stored before anything is sent, and
 * what the LMS said after; after a crash in between, what was sent is in `unsure`, and the LMS is asked what it has.
 */
export interface LtiScoreDoc {
  /** `link/sub`, ours and theirs: the student as the LMS knows them, whichever account that is here. */
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
  /** Why it was not accepted, as a message for the instructor; null while all is well. */
  reason: ScoreReason | null
  /** Consecutive failures, and when it is tried again; of one being sent, when the LMS is asked what it has if no answer came. */
  attempts: number
  next_at: Date
  /** The job queue's claim under which it is being sent. */
  claim: string | null
  /** The timestamp of the last score sent: the next one must be a second later at least. */
  stamped_at: Date | null
  /** What was sent without a response yet; null once the LMS responded. */
  unsure: SentScore | null
  /** What the LMS accepted last. */
  accepted: (SentScore & { at: Date }) | null
  /** Null until the gradebook is read after a score was accepted. */
  result?: ReadResult | null
  /** When the gradebook is to be read; null where it is not. Counts while the state is `sent`. */
  check_at?: Date | null
  /** The student has come back to the LMS's course: what its gradebook no longer shows is sent again. */
  returned?: boolean
  /** Sent again because the gradebook did not show it any more: not once more before it has shown an entry. */
  resent?: boolean
  updated_at: Date
}

const mixed = { type: mongoose.Schema.Types.Mixed, default: null }

const scoreSchema = new mongoose.Schema<LtiScoreDoc>(
  {
    _id: String,
    link: { type: Number, required: true },
    platform_id: { type: Number, required: true },
    assignment_id: { type: Number, required: true },
    user_id: { type: Number, required: true },
    sub: { type: String, required: true },
    submission_id: { type: Number, default: null },
    wanted: { type: mongoose.Schema.Types.Mixed, required: true },
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
  },
  { versionKey: false },
)
scoreSchema.index({ platform_id: 1, state: 1, next_at: 1 })
scoreSchema.index({ assignment_id: 1, submission_id: 1 })
scoreSchema.index({ link: 1, state: 1 })
scoreSchema.index({ platform_id: 1, check_at: 1 })

export const LtiScoreModel = mongoose.model('LtiScore', scoreSchema, 'lti_scores')

/** `link/sub` */
export const scoreId = (link: number, sub: string) => `${link}/${sub}`
