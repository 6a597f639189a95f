import { z } from 'zod'
import { Id } from './http/ids.ts'

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
