import type { RosterReport } from '@assay/shared/lti/lti.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

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
export interface LtiContextDoc {
  _id: number
  platform_id: number
  deployment_id: string
  context_id: string
  title: string | null
  label: string | null
  /** Null until an instructor has linked a course. */
  course_id: number | null
  /** What it was copied from, newest first (`Context.id.history`). */
  history: string[]
  /** NRPS: where its members are listed. */
  memberships_url: string | null
  /** AGS: its line items, and what we may do there. */
  lineitems_url: string | null
  ags_scopes: string[]
  roster: RosterReport | null
  /** Under way, or the last one. */
  sync?: RosterSync | null
  /** Null before the first sync. */
  sync_due_at?: Date | null
  sync_failures?: number
  created_at: Date
  launched_at: Date
}

const contextSchema = defineSchema<LtiContextDoc>({
  _id: Number,
  platform_id: { type: Number, required: true },
  deployment_id: { type: String, required: true },
  context_id: { type: String, required: true },
  title: { type: String, default: null },
  label: { type: String, default: null },
  course_id: { type: Number, default: null },
  history: { type: [String], default: [] },
  memberships_url: { type: String, default: null },
  lineitems_url: { type: String, default: null },
  ags_scopes: { type: [String], default: [] },
  roster: { type: Mixed, default: null },
  sync: { type: Mixed, default: null },
  sync_due_at: { type: Date, default: null },
  sync_failures: { type: Number, default: 0 },
  created_at: { type: Date, required: true },
  launched_at: { type: Date, required: true },
})
contextSchema.index({ platform_id: 1, deployment_id: 1, context_id: 1 }, { unique: true })
contextSchema.index({ course_id: 1 })
contextSchema.index({ 'roster.state': 1 })
contextSchema.index({ sync_due_at: 1, _id: 1 })

export const LtiContextModel = defineModel('LtiContext', contextSchema, 'lti_contexts')
