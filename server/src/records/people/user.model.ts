import type { AccountStatus, Role } from '@assay/shared/users.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** `email` off means none at all. */
export interface NotificationPreferences {
  email: boolean
  grades: boolean
  courses: boolean
  reminders: boolean
}

export interface UserDoc {
  _id: number
  username: string
  /** Lower case: no two accounts differ by case alone. */
  username_key: string
  email: string
  email_key: string
  /** Until its owner follows a mailed link the address is unverified. */
  email_verified_at?: Date | null
  /** Null for an invited account, which nobody can sign in to yet. */
  password_hash: string | null
  role: Role
  full_name: string | null
  institution: string | null
  /** The school's, which papers are often named by. */
  student_number: string | null
  account: AccountStatus
  /** Absent means all. */
  notifications?: NotificationPreferences
  /** A link to claim the account was last mailed; null: never; absent: not known, or nothing to claim. */
  invited_at?: Date | null
  /** When they were last told that somebody had registered their address again. */
  registration_mailed_at?: Date | null
  /** To the minute. */
  last_seen_at?: Date | null
  /**
   * Of an LMS, which verifies the person. `email` is what the LMS says or empty, `email_key` is no address: it cannot
   * be claimed by mail, and the address stays free for its owner.
   */
  from_lms?: boolean
  /** From this course's roster without addresses. `email` is empty and `email_key` no address: nobody can sign in. */
  roster_course_id?: number | null
  /** A test student of an LMS, left out of analytics and score passback. */
  test_user?: boolean
  /** The account that has all its work now. */
  joined_into?: number | null
  /** When erasure began: never used again, and at the end nothing names the owner. */
  deleted_at?: Date | null
  demo: boolean
  created_at: Date
  updated_at: Date
}

const userSchema = defineSchema<UserDoc>({
  _id: Number,
  username: { type: String, required: true },
  username_key: { type: String, required: true },
  // May be empty, which "required" would refuse.
  email: { type: String, default: '' },
  email_key: { type: String, required: true },
  email_verified_at: { type: Date, default: null },
  password_hash: { type: String, default: null },
  role: { type: String, required: true },
  full_name: { type: String, default: null },
  institution: { type: String, default: null },
  student_number: { type: String, default: null },
  account: { type: String, required: true },
  notifications: { type: Mixed },
  // Without a default, since the accounts of earlier versions do not say.
  invited_at: { type: Date },
  registration_mailed_at: { type: Date, default: null },
  last_seen_at: { type: Date, default: null },
  from_lms: { type: Boolean, default: false },
  roster_course_id: { type: Number, default: null },
  test_user: { type: Boolean, default: false },
  joined_into: { type: Number, default: null },
  deleted_at: { type: Date, default: null },
  demo: { type: Boolean, required: true },
  created_at: { type: Date, required: true },
  updated_at: { type: Date, required: true },
})
userSchema.index({ username_key: 1 }, { unique: true })
userSchema.index({ email_key: 1 }, { unique: true })
userSchema.index({ last_seen_at: 1 })
userSchema.index({ roster_course_id: 1 })

export const UserModel = defineModel('User', userSchema, 'users')
