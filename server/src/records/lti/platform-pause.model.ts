import mongoose from 'mongoose'

/** A platform that accepts no scores now is paused, so that its rows need not fail one by one. */
export interface LtiPlatformPauseDoc {
  /** The platform's. */
  _id: number
  /** Consecutive failures. */
  failures: number
  resume_at: Date
  /** As a message. */
  problem: string
}

const platformPauseSchema = new mongoose.Schema<LtiPlatformPauseDoc>(
  {
    _id: Number,
    failures: { type: Number, required: true },
    resume_at: { type: Date, required: true },
    problem: { type: String, required: true },
  },
  { versionKey: false },
)
export const LtiPlatformPauseModel = mongoose.model('LtiPlatformPause', platformPauseSchema, 'lti_platform_pauses')

/** An assignment whose score ledger must be updated from its releases. */
interface LtiLedgerDueDoc {
  /** The assignment's. */
  _id: number
  /** New with each change: a job that started with an earlier one runs again. */
  mark: string
}

const ledgerDueSchema = new mongoose.Schema<LtiLedgerDueDoc>(
  { _id: Number, mark: { type: String, required: true } },
  { versionKey: false },
)
export const LtiLedgerDueModel = mongoose.model('LtiLedgerDue', ledgerDueSchema, 'lti_ledgers_due')
