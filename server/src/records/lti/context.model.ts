import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** What it did is in the report. */
export interface RosterSync {
  /** Names the sync, together with the context. */
  started_at: Date
  /** The page to read next, and its number; null once all are read. */
  next: string | null
  page: number
  /** Further lists to read, where the LMS lists people by link only. */
  later: string[]
  by_link: boolean
  /** In a row: a list that repeats is rejected. */
  pages_without_new: number
  restarts: number
  /** A teacher has accepted a short list. */
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
  /** Null until an instructor has linked a course. */
  course_id: field.nullable(Number),
  /** What it was copied from, newest first (`Context.id.history`). */
  history: field.withDefault<string[]>([String], []),
  /** NRPS: where its members are listed. */
  memberships_url: field.nullable(String),
  /** Course Groups Service: where its groups are listed. */
  groups_url: field.optional<string | null>(String, null),
  /** AGS: its line items, and what we may do there. */
  lineitems_url: field.nullable(String),
  ags_scopes: field.withDefault<string[]>([String], []),
  roster: field.nullable<RosterReport>(Mixed),
  /** Under way, or the last one. */
  sync: field.optional<RosterSync | null>(Mixed, null),
  /** Null before the first sync. */
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
