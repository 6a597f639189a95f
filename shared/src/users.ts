import { z } from 'zod'
import { allRoles, Id, Timestamp } from './http/endpoint.ts'

export const Role = z.enum(allRoles)
export type Role = z.infer<typeof Role>

/** `pending`: an instructor waiting for approval. `invited`: unusable until its owner has followed the mailed link. */
export const AccountStatus = z.enum(['active', 'pending', 'invited', 'deactivated'])
export type AccountStatus = z.infer<typeof AccountStatus>

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  role: Role,
  full_name: z.string().nullable(),
  institution: z.string().nullable(),
  email_verified: z.boolean(),
  from_lms: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type User = z.infer<typeof User>

/** A student's or file's name for a grader, which only the server can make, having looked whether names are hidden. */
export const ShownName = z.string().brand<'ShownName'>()
export type ShownName = z.output<typeof ShownName>

export const ShownStudent = z
  .object({ id: Id, username: z.string(), full_name: z.string().nullable() })
  .brand<'ShownStudent'>()
export type ShownStudent = z.output<typeof ShownStudent>

export type Unbranded<T> = T extends string
  ? T extends ShownName
    ? string
    : T
  : T extends readonly (infer Item)[]
    ? Unbranded<Item>[]
    : T extends object
      ? { [K in keyof T as K extends typeof z.core.$brand ? never : K]: Unbranded<T[K]> }
      : T
