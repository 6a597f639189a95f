import type { Box, Line, Page, Paper } from '@assay/shared/papers.ts'
import { median } from '../../../lib/numbers.ts'
import { mapBox } from '../../layout/page-registration.ts'
import { normalizeText, type PlacedLine, printedSpans, printedWords, visibleLines } from '../../layout/paper-lines.ts'
import type { RegisteredPage } from '../pages/registered-pages.ts'

export interface AddedInk {
  onBlank: Box
  box: Box
  /** The reader took it out of the picture. */
  rule: boolean
  /** A printed box, perhaps filled in; or what goes through such a box. */
  frame: boolean
  inBox: boolean
  beyondBox: boolean // a tick
  /** The dark share of its width, for each point of its height. */
  rows: readonly number[]
}

const SMALLEST = 4 // points
const SAME = 2.5 // points, between blank and scan
/** Higher than the print it stands on: a ring, not a letter. */
const TALLER = 1.15
/** The least size of a drawing, whose inner ink may be print. */
const FIGURE = 46
const LARGEST_BOX = 26
const FILL = /_{2,}|\.{4,}|…|(?:\. ){3}/

/** In the blank's coordinates. */
export function findAddedInk(
  { registration, blankPage }: Pick<RegisteredPage, 'registration' | 'blankPage'>,
  page: Page,
  blank: Paper,
): AddedInk[] {
  const printed = visibleLines(blank).filter((line) => line.page === blankPage)
  const shapes = blank.pages.find(({ number }) => number === blankPage)?.shapes ?? []
  const placed = (box: Box, rule: boolean, rows: readonly number[]): AddedInk => {
    const onBlank = mapBox(box, registration.toBlank)
    return { box, onBlank, rule, frame: false, inBox: false, beyondBox: false, rows }
  }
  const marks = (page.ink ?? []).map(({ box, rows }) => placed(box, false, rows))
  const rules = (page.shapes ?? []).map(({ box }) => placed(box, true, [1]))
  const letters = printed.flatMap(printedSpans)
  return [
    ...marks
      .filter(
        ({ onBlank }) =>
          Math.max(onBlank.width, onBlank.height) >= SMALLEST &&
          !letters.some((one) => isLetterOf(one, onBlank)) &&
          !shapes.some(({ box }) => isInFigure(box, onBlank)),
      )
      .map((mark) => ({
        ...mark,
        frame: shapes.some(({ box }) => isSame(box, mark.onBlank)),
        inBox: shapes.some(({ box }) => isOverBox(box, mark.onBlank)),
        beyondBox: shapes.some(({ box }) => isOverBox(box, mark.onBlank) && reachesOut(box, mark.onBlank)),
      })),
    ...rules.filter(
      ({ onBlank }) =>
        !shapes.some(({ box }) => liesAlong(box, onBlank)) && !printed.some((line) => isRoomOf(line, onBlank)),
    ),
  ]
}

function isLetterOf({ text, box }: { text: string; box: Box }, mark: Box): boolean {
  const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2]
  return (
    x >= box.x - 3 &&
    x <= box.x + box.width + 3 &&
    y >= box.y - 1 &&
    y <= box.y + box.height + 1 &&
    mark.height <= TALLER * box.height &&
    mark.width <= Math.max(box.height, (box.width * 12) / Math.max(12, text.length))
  )
}

export const isSame = (a: Box, b: Box): boolean => differenceOf(a, b) < SAME

export const differenceOf = (a: Box, b: Box): number =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y), Math.abs(a.width - b.width), Math.abs(a.height - b.height))

function isOverBox(box: Box, mark: Box): boolean {
  const across = Math.min(box.x + box.width, mark.x + mark.width) - Math.max(box.x, mark.x)
  const down = Math.min(box.y + box.height, mark.y + mark.height) - Math.max(box.y, mark.y)
  const over = across > 0.4 * box.width && down > 0.4 * box.height
  return over && box.width < LARGEST_BOX && box.height < LARGEST_BOX
}

const reachesOut = (box: Box, mark: Box): boolean => {
  const beyond = [mark.width - box.width, mark.height - box.height]
  return Math.max(...beyond) > SAME && Math.max(...beyond) < 0.6 * Math.min(box.width, box.height)
}

/** Where something crosses it, printed lines are cut. */
const liesAlong = (print: Box, rule: Box): boolean =>
  rule.x >= print.x - 2 * SAME &&
  rule.x + rule.width <= print.x + print.width + 2 * SAME &&
  [print.y, print.y + print.height].some((y) => Math.abs(rule.y + rule.height / 2 - y) < SAME + rule.height / 2)

const isInFigure = (figure: Box, mark: Box): boolean =>
  figure.width > FIGURE &&
  figure.height > FIGURE &&
  mark.x >= figure.x - SAME &&
  mark.y >= figure.y - SAME &&
  mark.x + mark.width <= figure.x + figure.width + SAME &&
  mark.y + mark.height <= figure.y + figure.height + SAME

/** Underscores and dots are letters to the blank's file, and lines to the scan. */
const isRoomOf = (line: PlacedLine, rule: Box): boolean =>
  FILL.test(line.text) && rule.y + rule.height / 2 > line.box.y && rule.y < line.box.y + line.box.height * 1.3

const THIN = 3 // points
/** Shares of the words' height between which a line strikes them. */
const HIGHEST = 0.22
const LOWEST = 0.8
const BEYOND = 12 // points; longer lines are for writing on
const COVERED = 0.6
/** Higher lines have fractions, whose bars go through their middle. */
const HIGH = 1.7

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
