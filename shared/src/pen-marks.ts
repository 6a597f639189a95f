import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { QuarterTurn } from './papers.ts'

export const MAX_PEN_MARKS = 1000
export const MAX_PEN_TEXT = 1000
/** Of one stroke; the browser leaves out more. */
export const MAX_INK_POINTS = 1000

export const PenColour = z.enum(['red', 'blue', 'green', 'orange'])
export type PenColour = z.infer<typeof PenColour>

/** Points from the top left of the upright page, as for evidence. */
const Position = z.number().min(-1000).max(20_000)
const Length = z.number().positive().max(20_000)
const onPage = { page: z.number().int().min(1).max(10_000), colour: PenColour }
const written = {
  ...onPage,
  x: Position,
  y: Position,
  /** The viewer's, clockwise: words are upright when turned so again. */
  turn: z.union([z.literal(0), QuarterTurn]),
}
const words = { ...written, width: Length, text: z.string().trim().min(1).max(MAX_PEN_TEXT) }

export const PenMarkContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ink'),
    ...onPage,
    /** x, y and pressure (0..1) of each point in turn. */
    points: z
      .array(Position)
      .min(3)
      .max(3 * MAX_INK_POINTS)
      .refine((points) => points.length % 3 === 0, 'A point has x, y and pressure'),
  }),
  z.object({ kind: z.literal('highlight'), ...onPage, x: Position, y: Position, width: Length, height: Length }),
  /** `x` and `y` are the top left corner of the words. */
  z.object({ kind: z.literal('text'), ...words }),
  z.object({ kind: z.literal('stamp'), ...words, item_id: Id }),
  /** `x` and `y` are its middle. */
  z.object({ kind: z.enum(['tick', 'cross']), ...written }),
])
export type PenMarkContent = z.infer<typeof PenMarkContent>
export type PenMarkKind = PenMarkContent['kind']

export const PenMark = PenMarkContent.and(
  z.object({ id: z.uuid(), author: z.string().nullable(), created_at: Timestamp }),
)
export type PenMark = z.infer<typeof PenMark>

const params = z.object({ assignmentId: Id, submissionId: Id, markId: z.uuid() })
const path = '/assignments/:assignmentId/submissions/:submissionId/pen-marks/:markId'

/** The caller chooses the id, so that sending it twice draws it once. */
export const addPenMark = defineEndpoint('put', path, {
  summary: 'Draw or write something on a page of a paper',
  params,
  body: PenMarkContent,
  reply: PenMark,
})

export const erasePenMark = defineEndpoint('delete', path, {
  summary: 'Erase a pen mark, whoever made it',
  params,
  reply: z.object({ message: z.string() }),
})
