import mongoose from 'mongoose'

/** A platform that accepts no scores at the moment: all of it is paused, so that not every row has to fail. */
export interface LtiPlatformPauseDoc {
  /** The platform's. */
  _id: number
  /** Failures in a row. */
  failures: number
  resume_at: Date
  /** Why, for people. */
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

/** An assignment whose ledger has to be brought up to date with what is released. */
export interface LtiLedgerDueDoc {
  /** The assignment's. */
  _id: number
  /** New with each change: a job that started from an earlier one runs once more. */
  mark: string
}

const ledgerDueSchema = new mongoose.Schema<LtiLedgerDueDoc>(
  { _id: Number, mark: { type: String, required: true } },
  { versionKey: false },
)
export const LtiLedgerDueModel = mongoose.model('LtiLedgerDue', ledgerDueSchema, 'lti_ledgers_due')
