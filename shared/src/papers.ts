import { z } from 'zod'

/**
 * A rectangle on a page, in PDF points (1/72 inch) of the page as it is shown: rotation applied,
 * origin at the top left, y growing downwards.
 */
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Box = z.infer<typeof Box>

/** Where a line's words came from. */
export const LineSource = z.enum(['text', 'field', 'annotation', 'ocr'])
export type LineSource = z.infer<typeof LineSource>

/** Why a person looking at the page would not see a line that is in the file. */
export const HiddenReason = z.enum(['invisible', 'colour', 'tiny', 'off_page'])
export type HiddenReason = z.infer<typeof HiddenReason>

/** One line of a page, in reading order. `confidence` is 0..1; text that was typed has 1. */
export const Line = z.object({
  text: z.string(),
  box: Box,
  source: LineSource,
  confidence: z.number().min(0).max(1),
  hidden: HiddenReason.optional(),
})
export type Line = z.infer<typeof Line>

/** One page as read. `number` counts from 1; `width` and `height` are points of the page as shown. */
export const Page = z.object({
  number: z.number().int().positive(),
  width: z.number(),
  height: z.number(),
  lines: z.array(Line),
})
export type Page = z.infer<typeof Page>

/** A whole PDF as read. */
export const Paper = z.object({ pages: z.array(Page) })
export type Paper = z.infer<typeof Paper>

/** Words in a paper that a grade rests on, and where they stand. */
export const Evidence = z.object({ page: z.number().int().positive(), box: Box, quote: z.string() })
export type Evidence = z.infer<typeof Evidence>
