import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A platform that accepts no scores now is paused, so that its rows need not fail one by one. */
export interface LtiPlatformPauseDoc {
  _id: number
  failures: number
  resume_at: Date
  problem: string
}

const platformPauseSchema = defineSchema<LtiPlatformPauseDoc>({
  _id: Number,
  failures: { type: Number, required: true },
  resume_at: { type: Date, required: true },
  problem: { type: String, required: true },
})
export const LtiPlatformPauseModel = defineModel('LtiPlatformPause', platformPauseSchema, 'lti_platform_pauses')

/** An assignment whose score ledger must be updated from its releases. */
interface LtiLedgerDueDoc {
  _id: number
  /** New with each change: a job that started with an earlier one runs again. */
  mark: string
}

const ledgerDueSchema = defineSchema<LtiLedgerDueDoc>({ _id: Number, mark: { type: String, required: true } })
export const LtiLedgerDueModel = defineModel('LtiLedgerDue', ledgerDueSchema, 'lti_ledgers_due')
