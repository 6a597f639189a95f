import { z } from 'zod'
import { Id, Timestamp } from './http/ids.ts'

export const Role = z.enum(['student', 'instructor', 'admin'])
export type Role = z.infer<typeof Role>

export const teachingRoles = ['instructor', 'admin'] as const
export const allRoles = ['student', 'instructor', 'admin'] as const

/**
 * `pending`: an instructor waiting for approval. `invited`: created by a teacher, unusable until its owner has followed
 * the mailed link.
 */
export const AccountStatus = z.enum(['active', 'pending', 'invited', 'deactivated'])
export type AccountStatus = z.infer<typeof AccountStatus>

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  role: Role,
  full_name: z.string().nullable(),
  institution: z.string().nullable(),
  /** True once the owner of the address has followed a link mailed to it. */
  email_verified: z.boolean(),
  /** Name and address come from the LMS, and there is no password. */
  from_lms: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type User = z.infer<typeof User>
