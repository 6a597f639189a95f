import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

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
