import { z } from 'zod'

/** Ids are positive whole numbers, on the wire as in the database. In a path they arrive as text. */
export const Id = z.coerce.number().int().positive()

export const BodyId = z.number().int().positive()

/** Moments are ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime()

/** Pages of a list; the total comes in the header `X-Total-Count`. */
export const Paging = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})
