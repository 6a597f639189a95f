import { z } from 'zod'
import { PlannedTime } from '../rules/dates.ts'

/** In a query they arrive as text. */
export const Id = z.coerce.number().int().positive()

/** In a path `1e0` and `0x1` would be further addresses of the same thing. */
const numberOfText = (sent: unknown) => (typeof sent === 'string' && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : sent)
export const PathId = z.preprocess(numberOfText, z.number().int().positive())

/** Counts from 1. */
export const positionUpTo = (most: number) => z.preprocess(numberOfText, z.number().int().min(1).max(most))

export const BodyId = z.number().int().positive()

export const Timestamp = z.iso.datetime()

/** The total comes as `X-Total-Count`. */
export const Paging = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

/** In a multipart form everything arrives as text. */
export const FormFlag = z
  .union([z.boolean(), z.string()])
  .transform((value) => value === true || value === 'true' || value === '1' || value === 'on')

export const FormFlags = z.union([FormFlag.transform((flag) => [flag]), z.array(FormFlag)]).default([])

export const OptionalFormId = z.union([z.literal('').transform(() => undefined), Id]).optional()

export const OptionalFormTime = z.union([z.literal('').transform(() => undefined), PlannedTime]).optional()
