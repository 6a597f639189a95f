import { z } from 'zod'
import { EnteredPoints } from './rules/points.ts'

export const MAX_ITEM_TEXT = 1000
/** `gives` counts up from nothing, `takes` down from all points. See `rules/item-points.ts`. */
export const ItemKind = z.enum(['gives', 'takes', 'comment'])
export type ItemKind = z.infer<typeof ItemKind>

export const ItemWords = z.object({
  kind: ItemKind,
  /** 0 for a comment. */
  points: EnteredPoints.max(1000, 'At most 1000 points'),
  text: z.string().trim().min(1, 'Write what the student will read').max(MAX_ITEM_TEXT, 'This text is too long'),
})
export type ItemWords = z.infer<typeof ItemWords>
