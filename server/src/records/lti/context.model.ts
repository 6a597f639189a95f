import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface RosterSync {
  started_at: Date
  /** The next page; null once all are read. */
  next: string | null
  page: number
  /** Where the LMS lists people by link only. */
  later: string[]
  by_link: boolean
  /** In a row, to reject a list that repeats. */
  pages_without_new: number
  restarts: number
  accept_short_list: boolean
}

/** Several contexts may belong to one course: its sections. */
const contextSchema = schemaOf({
  _id: field.id(Number),
  platform_id: field.required(Number),
  deployment_id: field.required(String),
  context_id: field.required(String),
  title: field.nullable(String),
  label: field.nullable(String),
  course_id: field.nullable(Number),
  /** Newest first (`Context.id.history`). */
  history: field.withDefault<string[]>([String], []),
  memberships_url: field.nullable(String),
  /** Course Groups Service: where its groups are listed. */
  groups_url: field.optional<string | null>(String, null),
  /** AGS: its line items, and what we may do there. */
  lineitems_url: field.nullable(String),
  ags_scopes: field.withDefault<string[]>([String], []),
  roster: field.nullable<RosterReport>(Mixed),
  sync: field.optional<RosterSync | null>(Mixed, null),
  sync_due_at: field.optional<Date | null>(Date, null),
  sync_failures: field.optional(Number, 0),
  created_at: field.required(Date),
  launched_at: field.required(Date),
})
export type LtiContextDoc = DocOf<typeof contextSchema>
contextSchema.index({ platform_id: 1, deployment_id: 1, context_id: 1 }, { unique: true })
contextSchema.index({ course_id: 1 })
contextSchema.index({ 'roster.state': 1 })
contextSchema.index({ sync_due_at: 1, _id: 1 })
export const LtiContextModel = defineModel('LtiContext', contextSchema, 'lti_contexts')
