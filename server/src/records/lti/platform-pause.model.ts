import mongoose from 'mongoose'

/** A platform that takes no scores just now: all of it rests, instead of every row finding out by itself. */
export interface LtiPlatformPauseDoc {
  /** The platform's. */
  _id: number
  /** How often in a row it was tried in vain. */
  failures: number
  resume_at: Date
  /** Why, in words. */
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
export const LtiPlatformPauseModel = mongoose.model('LtiSender', platformPauseSchema, 'lti_senders')

/** An assignment whose ledger has to be brought up to date with what is released. */
export interface LtiLedgerDueDoc {
  /** The assignment's. */
  _id: number
  /** Another one with each change: who worked by an earlier one works once more. */
  mark: string
}

const ledgerDueSchema = new mongoose.Schema<LtiLedgerDueDoc>(
  { _id: Number, mark: { type: String, required: true } },
  { versionKey: false },
)
export const LtiLedgerDueModel = mongoose.model('LtiLedgerDue', ledgerDueSchema, 'lti_ledgers_due')
