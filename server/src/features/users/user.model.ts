import type { Role } from '@assay/shared/users.ts'
import mongoose from 'mongoose'

export interface UserDoc {
  _id: number
  username: string
  /** Lower case: no two accounts differ by case alone. */
  username_key: string
  email: string
  email_key: string
  password_hash: string
  role: Role
  full_name: string | null
  institution: string | null
  /** The school's number for a student, which papers are often named by. */
  student_number: string | null
  /** `pending`: an instructor whom an administrator has yet to approve. */
  account: 'active' | 'pending'
  demo: boolean
  created_at: Date
  updated_at: Date
}

const userSchema = new mongoose.Schema<UserDoc>(
  {
    _id: Number,
    username: { type: String, required: true },
    username_key: { type: String, required: true },
    email: { type: String, required: true },
    email_key: { type: String, required: true },
    password_hash: { type: String, required: true },
    role: { type: String, required: true },
    full_name: { type: String, default: null },
    institution: { type: String, default: null },
    student_number: { type: String, default: null },
    account: { type: String, required: true },
    demo: { type: Boolean, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false },
)
userSchema.index({ username_key: 1 }, { unique: true })
userSchema.index({ email_key: 1 }, { unique: true })

export const UserModel = mongoose.model('User', userSchema, 'users')
