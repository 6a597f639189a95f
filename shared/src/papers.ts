import { z } from 'zod'

/**
 * A rectangle on a page, in PDF points (1/72 inch) of the page as it is shown: rotation applied,
 * origin at the top left, y growing downwards.
 */
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Box = z.infer<typeof Box>

/** The source of a line's text. */
export const LineSource = z.enum(['text', 'field', 'annotation', 'ocr', 'model'])
export type LineSource = z.infer<typeof LineSource>

/**
 * Why a person looking at the page would not see a line that is in the file. `covered`: drawn over, cut off or turned off.
 * `other_words`: the page shows other words there.
 */
export const HiddenReason = z.enum(['invisible', 'colour', 'tiny', 'off_page', 'covered', 'other_words'])
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

/** Degrees clockwise. */
export const QuarterTurn = z.union([z.literal(90), z.literal(180), z.literal(270)])
export type QuarterTurn = z.infer<typeof QuarterTurn>

/** A page (from 1) that was scanned on its side or upside down, and how it is turned to be read. */
export const TurnedPage = z.object({ page: z.number().int().positive(), turned: QuarterTurn })
export type TurnedPage = z.infer<typeof TurnedPage>

/**
 * One page as read. `number` counts from 1; `width` and `height` are points of the page as shown: turned clockwise by `turned`
 * where it was scanned on its side or upside down. All boxes are those of the page so turned.
 */
export const Page = z.object({
  number: z.number().int().positive(),
  width: z.number(),
  height: z.number(),
  lines: z.array(Line),
  turned: QuarterTurn.optional(),
})
export type Page = z.infer<typeof Page>

/** A whole PDF as read. */
export const Paper = z.object({ pages: z.array(Page) })
export type Paper = z.infer<typeof Paper>

/** Words in a paper that a grade is based on, and where they are. */
export const Evidence = z.object({ page: z.number().int().positive(), box: Box, quote: z.string() })
export type Evidence = z.infer<typeof Evidence>
