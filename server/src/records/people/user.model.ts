import type { AccountStatus, Role } from '@assay/shared/users.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** `email` off means none at all. */
export interface NotificationPreferences {
  email: boolean
  grades: boolean
  courses: boolean
  reminders: boolean
}

const userSchema = schemaOf({
  _id: field.id(Number),
  username: field.required(String),
  /** Lower case: no two accounts differ by case alone. */
  username_key: field.required(String),
  // May be empty, which "required" would refuse.
  email: field.withDefault(String, ''),
  email_key: field.required(String),
  /** Until its owner follows a mailed link the address is unverified. */
  email_verified_at: field.optional<Date | null>(Date, null),
  /** Null for an invited account, which nobody can sign in to yet. */
  password_hash: field.nullable(String),
  role: field.required<Role>(String),
  full_name: field.nullable(String),
  institution: field.nullable(String),
  /** The school's, which papers are often named by. */
  student_number: field.nullable(String),
  account: field.required<AccountStatus>(String),
  /** Absent means all. */
  notifications: field.optional<NotificationPreferences>(Mixed),
  /** A link to claim the account was last mailed; null: never; absent: not known, or nothing to claim. */
  // Without a default, since the accounts of earlier versions do not say.
  invited_at: field.optional<Date | null>(Date),
  /** When they were last told that somebody had registered their address again. */
  registration_mailed_at: field.optional<Date | null>(Date, null),
  /** To the minute. */
  last_seen_at: field.optional<Date | null>(Date, null),
  /**
   * Of an LMS, which verifies the person. `email` is what the LMS says or empty, `email_key` is no address: it cannot
   * be claimed by mail, and the address stays free for its owner.
   */
  from_lms: field.optional(Boolean, false),
  /** From this course's roster without addresses. `email` is empty and `email_key` no address: nobody can sign in. */
  roster_course_id: field.optional<number | null>(Number, null),
  /** A test student of an LMS, left out of analytics and score passback. */
  test_user: field.optional(Boolean, false),
  /** The account that has all its work now. */
  joined_into: field.optional<number | null>(Number, null),
  /** When erasure began: never used again, and at the end nothing names the owner. */
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
