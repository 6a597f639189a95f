import { type PDFPage, rgb } from 'pdf-lib'
import type { MarkupFonts, Weight } from './markup-fonts.ts'
import type { Verdict } from './paper-markup.ts'

/** Dark enough to be read in grey, too. */
export const colours = {
  ink: rgb(0.12, 0.12, 0.13),
  dim: rgb(0.38, 0.38, 0.4),
  line: rgb(0.82, 0.82, 0.83),
  comment: rgb(0.1, 0.2, 0.55),
  paper: rgb(1, 1, 1),
  tint: rgb(0.96, 0.95, 0.93),
  warn: rgb(0.99, 0.95, 0.86),
}

export const verdictColours: Record<Verdict, ReturnType<typeof rgb>> = {
  full: rgb(0.07, 0.45, 0.2),
  partial: rgb(0.62, 0.36, 0),
  none: rgb(0.72, 0.11, 0.11),
  open: colours.dim,
}

interface TextStyle {
  /** Points. */
  size: number
  weight?: Weight
  colour?: ReturnType<typeof rgb>
}

/** Draws a line in the page's own coordinates, its baseline at `y`; returns where it ends. */
export function drawLine(
  page: PDFPage,
  text: string,
  x: number,
  y: number,
  { size, weight = 'regular', colour = colours.ink }: TextStyle,
  fonts: MarkupFonts,
): number {
  let at = x
  for (const run of fonts.runs(text, weight)) {
    page.drawText(run.text, { x: at, y, size, font: run.font, color: colour })
    at += run.font.widthOfTextAtSize(run.text, size)
  }
  return at
}
