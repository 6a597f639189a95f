import {
  concatTransformationMatrix,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  setTextRenderingMode,
  TextRenderingMode,
} from 'pdf-lib'
import type { Formula } from './draw-math.ts'
import { type MarkupFonts, type Weight, widthOf } from './markup-fonts.ts'
import type { Verdict } from './paper-markup.ts'

export const colours = {
  ink: rgb(0.12, 0.12, 0.13),
  dim: rgb(0.38, 0.38, 0.4),
  line: rgb(0.82, 0.82, 0.83),
  comment: rgb(0.1, 0.2, 0.55),
  paper: rgb(1, 1, 1),
  tint: rgb(0.96, 0.95, 0.93),
  warn: rgb(0.99, 0.95, 0.86),
}

export const verdictColours: Record<Verdict, Colour> = {
  full: rgb(0.07, 0.45, 0.2),
  partial: rgb(0.62, 0.36, 0),
  none: rgb(0.72, 0.11, 0.11),
  open: colours.dim,
}

type Colour = ReturnType<typeof rgb>

interface TextStyle {
  size: number
  weight?: Weight
  colour?: Colour
}

type LineStyle = Required<TextStyle>

/** The baseline is at `y`; returns where the line ends. */
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
    if ('formula' in run) drawFormula(page, run.formula, at, y, { size, weight, colour }, fonts)
    else page.drawText(run.text, { x: at, y, size, font: run.font, color: colour })
    at += widthOf(run, size)
  }
  return at
}

/** The source is written invisibly in the formula's place, to be searched, copied and read aloud. */
function drawFormula(
  page: PDFPage,
  formula: Formula,
  x: number,
  y: number,
  style: LineStyle,
  fonts: MarkupFonts,
): void {
  const { size, weight, colour } = style
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(size / 1000, 0, 0, size / 1000, x, y),
    ...formula.draw(colour),
    popGraphicsState(),
    pushGraphicsState(),
    setTextRenderingMode(TextRenderingMode.Invisible),
  )
  const fitting = (size * formula.width) / fonts.width(formula.source, 1, weight)
  drawLine(page, formula.source, x, y, { ...style, size: fitting }, fonts)
  page.pushOperators(popGraphicsState())
}
