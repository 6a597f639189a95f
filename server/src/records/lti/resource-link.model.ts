import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** A place in an LMS course that opens an assignment. */
const resourceLinkSchema = schemaOf({
  _id: field.id(Number),
  platform_id: field.required(Number),
  deployment_id: field.required(String),
  /** Our `LtiContext`; null for a link outside any course. */
  context: field.nullable(Number),
  /** The platform's id for it. */
  resource_link_id: field.required(String),
  title: field.nullable(String),
  /** Null until an instructor has chosen its assignment. */
  assignment_id: field.nullable(Number),
  /** An instructor has chosen that it opens the course, not one assignment. */
  course_only: field.withDefault(Boolean, false),
  /** By our own deep link, when it was last followed. */
  named_assignment_id: field.nullable(Number),
  /** What it was copied from, newest first (`ResourceLink.id.history`). */
  history: field.withDefault<string[]>([String], []),
  /** AGS line item for its scores. Never cleared: the claim disappears when a second line item is bound to the link. */
  lineitem_url: field.nullable(String),
  /** Of its line item: last read, and failures since. */
  results_read_at: field.optional<Date | null>(Date, null),
  results_failures: field.optional(Number, 0),
  /** Since when and why the LMS has and allows no line item for it. Nothing is sent until somebody opens it or asks. */
  gone: field.optional<{ at: Date; message: string } | null>(Mixed, null),
  /** Detached by a teacher: ignored until somebody opens it. */
  detached_at: field.optional<Date | null>(Date, null),
  created_at: field.required(Date),
  launched_at: field.required(Date),
})
export type LtiResourceLinkDoc = DocOf<typeof resourceLinkSchema>
resourceLinkSchema.index({ platform_id: 1, deployment_id: 1, context: 1, resource_link_id: 1 }, { unique: true })
resourceLinkSchema.index({ context: 1 })
resourceLinkSchema.index({ assignment_id: 1 })

export const LtiResourceLinkModel = defineModel('LtiLink', resourceLinkSchema, 'lti_links')
