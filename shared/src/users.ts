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

/**
 * What a reply to a grader may call a student or a file by: only the server, having looked whether names are hidden,
 * can make one. To a client it is a string.
 */
export const ShownName = z.string().brand<'ShownName'>()
export type ShownName = z.output<typeof ShownName>

export const ShownStudent = z
  .object({ id: Id, username: z.string(), full_name: z.string().nullable() })
  .brand<'ShownStudent'>()
export type ShownStudent = z.output<typeof ShownStudent>

/** The same shape without the brands, as a test writes it down. */
export type Unbranded<T> = T extends string
  ? T extends ShownName
    ? string
    : T
  : T extends readonly (infer Item)[]
    ? Unbranded<Item>[]
    : T extends object
      ? { [K in keyof T as K extends typeof z.core.$brand ? never : K]: Unbranded<T[K]> }
      : T
