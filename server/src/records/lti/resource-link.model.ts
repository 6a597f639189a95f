import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** A place in an LMS course that opens an assignment. */
export interface LtiResourceLinkDoc {
  _id: number
  platform_id: number
  deployment_id: string
  /** Our `LtiContext`; null for a link outside any course. */
  context: number | null
  /** The platform's id for it. */
  resource_link_id: string
  title: string | null
  /** Null until an instructor has chosen its assignment. */
  assignment_id: number | null
  /** An instructor has chosen that it opens the course, not one assignment. */
  course_only: boolean
  /** By our own deep link, when it was last followed. */
  named_assignment_id: number | null
  /** What it was copied from, newest first (`ResourceLink.id.history`). */
  history: string[]
  /** AGS line item for its scores. Never cleared: the claim disappears when a second line item is bound to the link. */
  lineitem_url: string | null
  /** Of its line item: last read, and failures since. */
  results_read_at?: Date | null
  results_failures?: number
  /** Since when and why the LMS has and allows no line item for it. Nothing is sent until somebody opens it or asks. */
  gone?: { at: Date; message: string } | null
  /** Detached by a teacher: ignored until somebody opens it. */
  detached_at?: Date | null
  created_at: Date
  launched_at: Date
}

const resourceLinkSchema = defineSchema<LtiResourceLinkDoc>({
  _id: Number,
  platform_id: { type: Number, required: true },
  deployment_id: { type: String, required: true },
  context: { type: Number, default: null },
  resource_link_id: { type: String, required: true },
  title: { type: String, default: null },
  assignment_id: { type: Number, default: null },
  course_only: { type: Boolean, default: false },
  named_assignment_id: { type: Number, default: null },
  history: { type: [String], default: [] },
  lineitem_url: { type: String, default: null },
  results_read_at: { type: Date, default: null },
  results_failures: { type: Number, default: 0 },
  gone: { type: Mixed, default: null },
  detached_at: { type: Date, default: null },
  created_at: { type: Date, required: true },
  launched_at: { type: Date, required: true },
})
resourceLinkSchema.index({ platform_id: 1, deployment_id: 1, context: 1, resource_link_id: 1 }, { unique: true })
resourceLinkSchema.index({ context: 1 })
resourceLinkSchema.index({ assignment_id: 1 })

export const LtiResourceLinkModel = defineModel('LtiLink', resourceLinkSchema, 'lti_links')
