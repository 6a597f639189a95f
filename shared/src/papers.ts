import { z } from 'zod'

/** In PDF points (1/72 inch) of the page as shown (rotated), from the top left, y growing downwards. */
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Box = z.infer<typeof Box>

export const LineSource = z.enum(['text', 'field', 'annotation', 'ocr', 'model'])

/**
 * Why a person would not see a line that is in the file. `covered`: drawn over, cut off or turned off. `other_words`:
 * the page shows other words there.
 */
export const HiddenReason = z.enum(['invisible', 'colour', 'tiny', 'off_page', 'covered', 'other_words'])
export type HiddenReason = z.infer<typeof HiddenReason>

/**
 * A stretch of a line set apart by a gap or its style: a table's cell, marks in the margin. `x` and `width` in points;
 * `colour` is `#rrggbb`, absent where it is black or grey.
 */
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

/** A word as OCR read it, with its place: what is print and what is writing may stand in one line. */
export const Word = z.object({ text: z.string(), box: Box, confidence: z.number().min(0).max(1) })
export type Word = z.infer<typeof Word>

/** One line of a page, in reading order. `confidence` is 0..1; text that was typed has 1. */
export const Line = z.object({
  text: z.string(),
  box: Box,
  source: LineSource,
  confidence: z.number().min(0).max(1),
  /** Left to right. Absent: one cell in ordinary style. */
  cells: z.array(Cell).optional(),
  /** Only where OCR read it. */
  words: z.array(Word).optional(),
  hidden: HiddenReason.optional(),
  /** The whole text of a partly visible line, to tell print that a note covers from what a student wrote. */
  whole: z.string().optional(),
})
export type Line = z.infer<typeof Line>

/** A `rule` is straight and thin, a `frame` goes round something, a `mark` is painted: a bubble, a pen's stroke. */
export const Shape = z.object({ kind: z.enum(['rule', 'frame', 'mark']), box: Box })
export type Shape = z.infer<typeof Shape>

/**
 * Ink that was not read as words: a ring, a tick. `rows` is the dark share of its box's width at each height: what is
 * crossed out is darker there than what is ringed.
 */
export const InkMark = z.object({ box: Box, rows: z.array(z.number().min(0).max(1)) })
export type InkMark = z.infer<typeof InkMark>

/** Degrees clockwise. */
export const QuarterTurn = z.union([z.literal(90), z.literal(180), z.literal(270)])

/** A page (from 1) that was scanned on its side or upside down, and how it is turned to be read. */
export const TurnedPage = z.object({ page: z.number().int().positive(), turned: QuarterTurn })
export type TurnedPage = z.infer<typeof TurnedPage>

/** `number` counts from 1; `width`, `height` and all boxes are points of the page turned clockwise by `turned`. */
export const Page = z.object({
  number: z.number().int().positive(),
  width: z.number(),
  height: z.number(),
  lines: z.array(Line),
  /** Rules to write on, boxes to tick or write in, a table's grid. Absent: none. */
  shapes: z.array(Shape).optional(),
  /** Of a scan. Absent: none, or no scan. */
  ink: z.array(InkMark).optional(),
  turned: QuarterTurn.optional(),
  /** A picture on it cannot be opened, and nothing was read in its place. */
  damaged: z.literal(true).optional(),
  /** The blank's page it is a copy of, where a code printed on it says so. */
  printed_page: z.number().int().positive().optional(),
  /**
   * From the page's points to those of that page of the blank: a perspective transformation, row by row, (x, y, 1) to
   * (x′·w, y′·w, w). `exact`: by the marks in its corners, to about a point; else by its code, roughly.
   */
  to_blank: z.object({ transform: z.array(z.number()).length(9), exact: z.boolean() }).optional(),
})
export type Page = z.infer<typeof Page>

export const Paper = z.object({ pages: z.array(Page) })
export type Paper = z.infer<typeof Paper>

/** Words in a paper that a grade is based on, and where they are. */
export const Evidence = z.object({ page: z.number().int().positive(), box: Box, quote: z.string() })
export type Evidence = z.infer<typeof Evidence>
