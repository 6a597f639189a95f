import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** `returned`: was suspended, and is listed again. */
export type SyncOutcome = 'created' | 'changed' | 'returned' | 'unchanged' | 'suspended'

/** As of the last launch or roster sync. */
const memberSchema = schemaOf({
  /** `context/sub`. */
  _id: field.id(String),
  context: field.required(Number),
  sub: field.required(String),
  user_id: field.required(Number),
  role: field.nullable<'instructor' | 'student'>(String),
  /** `suspended`: no longer listed, or as inactive. Their work stays. */
  status: field.required<'active' | 'suspended'>(String),
  name: field.nullable(String),
  email: field.nullable(String),
  sis_id: field.optional<string | null>(String, null),
  test_user: field.withDefault(Boolean, false),
  /** When the last sync with them began, and its outcome; null for members known from launches only. */
  synced_at: field.nullable(Date),
  outcome: field.optional<SyncOutcome | null>(String, null),
  /** When the last sync that listed them as inactive began. */
  inactive_at: field.optional<Date | null>(Date, null),
  /** Days since 1970 on which an unlisted teacher launched only with a lesser role. */
  lesser_days: field.optional<number[]>([Number]),
  updated_at: field.required(Date),
})
export type LtiMemberDoc = DocOf<typeof memberSchema>
memberSchema.index({ context: 1, status: 1, synced_at: 1 })
memberSchema.index({ user_id: 1, context: 1 })
export const LtiMemberModel = defineModel('LtiMember', memberSchema, 'lti_members')
