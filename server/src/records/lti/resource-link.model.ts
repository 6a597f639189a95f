import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

const resourceLinkSchema = schemaOf({
  _id: field.id(Number),
  platform_id: field.required(Number),
  deployment_id: field.required(String),
  context: field.nullable(Number),
  resource_link_id: field.required(String),
  title: field.nullable(String),
  assignment_id: field.nullable(Number),
  course_only: field.withDefault(Boolean, false),
  named_assignment_id: field.nullable(Number),
  /** Newest first (`ResourceLink.id.history`). */
  history: field.withDefault<string[]>([String], []),
  /** Never cleared: the claim disappears when a second line item is bound to the link. */
  lineitem_url: field.nullable(String),
  /** Of its line item: last read, and failures since. */
  results_read_at: field.optional<Date | null>(Date, null),
  results_failures: field.optional(Number, 0),
  /** The LMS has and allows no line item: nothing is sent until somebody opens it or asks. */
  gone: field.optional<{ at: Date; message: string } | null>(Mixed, null),
  detached_at: field.optional<Date | null>(Date, null),
  created_at: field.required(Date),
  launched_at: field.required(Date),
})
export type LtiResourceLinkDoc = DocOf<typeof resourceLinkSchema>
resourceLinkSchema.index({ platform_id: 1, deployment_id: 1, context: 1, resource_link_id: 1 }, { unique: true })
resourceLinkSchema.index({ context: 1 })
resourceLinkSchema.index({ assignment_id: 1 })
export const LtiResourceLinkModel = defineModel('LtiLink', resourceLinkSchema, 'lti_links')
