import { z } from 'zod'

/** PDF points (1/72 inch) of the page as shown (rotated), from the top left, y downwards. */
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Box = z.infer<typeof Box>

export const LineSource = z.enum(['text', 'field', 'annotation', 'ocr', 'model'])

/** Why nobody would see a line of the file. `covered`: also cut off. `other_words`: the page shows other words. */
export const HiddenReason = z.enum(['invisible', 'colour', 'tiny', 'off_page', 'covered', 'other_words'])
export type HiddenReason = z.infer<typeof HiddenReason>

/** Set apart by a gap or its style, as in a table. In points; `colour` is `#rrggbb`, absent where black or grey. */
export const Cell = z.object({
  text: z.string(),
  x: z.number(),
  width: z.number(),
  bold: z.literal(true).optional(),
  colour: z.string().optional(),
  highlight: z.string().optional(),
  underlined: z.literal(true).optional(),
})
export type Cell = z.infer<typeof Cell>

/** With its place, as print and writing may share a line. */
export const Word = z.object({ text: z.string(), box: Box, confidence: z.number().min(0).max(1) })
export type Word = z.infer<typeof Word>

/** In reading order. `confidence` is 0..1; 1 for typed text. */
export const Line = z.object({
  text: z.string(),
  box: Box,
  source: LineSource,
  confidence: z.number().min(0).max(1),
  cells: z.array(Cell).optional(),
  words: z.array(Word).optional(),
  hidden: HiddenReason.optional(),
  /** All of a partly visible line, to tell print under a note from a student's writing. */
  whole: z.string().optional(),
})
export type Line = z.infer<typeof Line>

/** A `rule` is straight and thin, a `frame` goes round something, a `mark` is painted: a bubble, a pen's stroke. */
export const Shape = z.object({ kind: z.enum(['rule', 'frame', 'mark']), box: Box })
export type Shape = z.infer<typeof Shape>

/** Ink not read as words, such as a ring. `rows`: the dark share of the box's width by height. */
export const InkMark = z.object({ box: Box, rows: z.array(z.number().min(0).max(1)) })
export type InkMark = z.infer<typeof InkMark>

export const QuarterTurn = z.union([z.literal(90), z.literal(180), z.literal(270)])

/** A page (from 1) scanned on its side or upside down, and how it is turned to be read. */
export const TurnedPage = z.object({ page: z.number().int().positive(), turned: QuarterTurn })
export type TurnedPage = z.infer<typeof TurnedPage>

/** `number` counts from 1; sizes and boxes are points of the page turned clockwise by `turned`. */
export const Page = z.object({
  number: z.number().int().positive(),
  width: z.number(),
  height: z.number(),
  lines: z.array(Line),
  /** Rules to write on, boxes to tick or write in, a table's grid. */
  shapes: z.array(Shape).optional(),
  ink: z.array(InkMark).optional(),
  turned: QuarterTurn.optional(),
  /** A picture on it cannot be opened, and nothing was read instead. */
  damaged: z.literal(true).optional(),
  printed_page: z.number().int().positive().optional(),
  /**
   * To the points of the blank's page: a perspective transformation, row by row, (x, y, 1) to (x′·w, y′·w, w). `exact`:
   * by corner marks, to about a point; else roughly, by its code.
   */
  to_blank: z.object({ transform: z.array(z.number()).length(9), exact: z.boolean() }).optional(),
})
export type Page = z.infer<typeof Page>

export const Paper = z.object({ pages: z.array(Page) })
export type Paper = z.infer<typeof Paper>

export const Evidence = z.object({ page: z.number().int().positive(), box: Box, quote: z.string() })
export type Evidence = z.infer<typeof Evidence>
