import type { AccountStatus, Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface NotificationPreferences {
  email: boolean
  grades: boolean
  courses: boolean
  reminders: boolean
}

const userSchema = schemaOf({
  _id: field.id(Number),
  username: field.required(String),
  username_key: field.required(String),
  // May be empty, which "required" would refuse.
  email: field.withDefault(String, ''),
  email_key: field.required(String),
  /** Null until its owner follows a mailed link. */
  email_verified_at: field.optional<Date | null>(Date, null),
  /** Null for an invited account, which nobody can sign in to yet. */
  password_hash: field.nullable(String),
  role: field.required<Role>(String),
  full_name: field.nullable(String),
  institution: field.nullable(String),
  student_number: field.nullable(String),
  account: field.required<AccountStatus>(String),
  notifications: field.optional<NotificationPreferences>(Mixed),
  /** Last mail with a link to claim the account; null: never; absent: unknown, or nothing to claim. */
  // No default, since older accounts do not say.
  invited_at: field.optional<Date | null>(Date),
  registration_mailed_at: field.optional<Date | null>(Date, null),
  /** To the minute. */
  last_seen_at: field.optional<Date | null>(Date, null),
  /** The LMS verifies the person. `email_key` is no address: no mail can claim it, and it stays free for its owner. */
  from_lms: field.optional(Boolean, false),
  /** From a roster without addresses: `email` is empty and `email_key` no address, so nobody can sign in. */
  roster_course_id: field.optional<number | null>(Number, null),
  /** Left out of analytics and score passback. */
  test_user: field.optional(Boolean, false),
  joined_into: field.optional<number | null>(Number, null),
  deleted_at: field.optional<Date | null>(Date, null),
  demo: field.required(Boolean),
  created_at: field.required(Date),
  updated_at: field.required(Date),
})
export type UserDoc = DocOf<typeof userSchema>
userSchema.index({ username_key: 1 }, { unique: true })
userSchema.index({ email_key: 1 }, { unique: true })
userSchema.index({ last_seen_at: 1 })
userSchema.index({ roster_course_id: 1 })
export const UserModel = defineModel('User', userSchema, 'users')
