import type { Box, Line, Paper } from '@assay/shared/papers.ts'
import { median } from '../../../lib/numbers.ts'
import { normalizeText, visibleLines } from '../../layout/paper-lines.ts'
import { printedWords } from '../../layout/printed-spans.ts'
import { isSame } from './added-ink.ts'

/** Flatter than this it is a line; in points. */
const THIN = 3
/** A line through words is between these shares of their height. */
const HIGHEST = 0.22
const LOWEST = 0.8
/** Longer lines are for writing on; in points. */
const BEYOND = 12
/** Share of a word that a line covers. */
const COVERED = 0.6
/** Higher lines have fractions, whose bars go through their middle. */
const HIGH = 1.7

/** Words with a line through them, or two that cross. Print stays. */
export function withoutStruckWords(paper: Paper, blank: Paper): Paper {
  if (!paper.pages.some(({ shapes = [] }) => shapes.length > 0)) return paper
  const printed = new Set(visibleLines(blank).map(({ text }) => normalizeText(text)))
  const shapesOfBlank = blank.pages.flatMap(({ shapes = [] }) => shapes.map(({ box }) => box))
  return {
    pages: paper.pages.map((page) => {
      const own = (page.shapes ?? [])
        .filter(({ kind }) => kind !== 'mark')
        .map(({ box }) => box)
        .filter((box) => !shapesOfBlank.some((one) => isSame(one, box)))
      const strokes = [...own.filter(isLine), ...crosses(own)]
      if (strokes.length === 0) return page
      const usual = median(page.lines.map(({ box }) => box.height))
      const lines = page.lines.map((line) =>
        canBeStruck(line, usual) && !isPrinted(line, printed) ? withoutWordsUnder(line, strokes) : line,
      )
      return { ...page, lines: lines.filter(({ text }) => text !== '') }
    }),
  }
}

const isLine = (box: Box): boolean => box.height < THIN && box.width > box.height * 4

/** Two lines that cross fill the same box. */
const crosses = (boxes: readonly Box[]): Box[] =>
  boxes.flatMap((box, at) =>
    box.height >= THIN && boxes.slice(at + 1).some((other) => isSame(box, other))
      ? [{ ...box, y: box.y + box.height / 2, height: 0 }]
      : [],
  )

const canBeStruck = ({ source, box, hidden }: Line, usual: number): boolean =>
  !hidden && source !== 'ocr' && source !== 'model' && box.height < HIGH * Math.max(usual, 8)

/** Word positions in lines with print are too rough. */
function isPrinted({ text }: Line, printed: ReadonlySet<string>): boolean {
  const plain = normalizeText(text)
  return [...printed].some((print) => print !== '' && (plain === print || (print.length > 8 && plain.includes(print))))
}

function withoutWordsUnder(line: Line, strokes: readonly Box[]): Line {
  const { box } = line
  const through = strokes.filter(
    (stroke) =>
      stroke.y + stroke.height / 2 > box.y + box.height * HIGHEST &&
      stroke.y + stroke.height / 2 < box.y + box.height * LOWEST &&
      stroke.x > box.x - BEYOND &&
      stroke.x + stroke.width < box.x + box.width + BEYOND,
  )
  if (through.length === 0) return line
  const words = printedWords(line)
  const kept = words.filter(({ box: word }) => !through.some((stroke) => overlap(stroke, word) > COVERED * word.width))
  if (kept.length === words.length) return line
  const { cells: _, ...rest } = line
  return { ...rest, text: kept.map(({ text }) => text).join(' ') }
}

const overlap = (a: Box, b: Box): number => Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
