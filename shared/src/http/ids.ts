import { z } from 'zod'

/** Ids are positive whole numbers, on the wire as in the database. In a query they arrive as text. */
export const Id = z.coerce.number().int().positive()

/** In a path `1e0` and `0x1` would be further addresses of the same thing. */
const numberOfText = (sent: unknown) => (typeof sent === 'string' && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : sent)
export const PathId = z.preprocess(numberOfText, z.number().int().positive())

/** A page or another part of a path that counts from 1. */
export const positionUpTo = (most: number) => z.preprocess(numberOfText, z.number().int().min(1).max(most))

export const BodyId = z.number().int().positive()

/** Moments are ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime()

/** Pages of a list; the total comes in the header `X-Total-Count`. */
export const Paging = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
