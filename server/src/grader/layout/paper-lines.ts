import type { Box, Cell, Evidence, Line, Paper } from '@assay/shared/papers.ts'
import { LRUCache } from 'lru-cache'
import { type LabelToken, scanLabels } from './question-labels.ts'

export interface PlacedLine extends Line {
  page: number
  pageWidth: number
  pageHeight: number
  /** Set on a stretch of a printed line. */
  stretchOf?: PlacedLine
  marks?: number[]
}

/** Keeps the grader quick whatever it is given: a dense page has about 60 lines. */
const MAX_LINES = 6000
/** A form field can hold an essay in one line. */
const MAX_LINE_LENGTH = 20_000

/** Hidden lines included. */
export function placedLines(paper: Paper): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const page of paper.pages) {
    for (const line of page.lines) {
      if (lines.length >= MAX_LINES) return lines
      const text = line.text.slice(0, MAX_LINE_LENGTH)
      if (text.trim() === '') continue
      lines.push({ ...line, text, page: page.number, pageWidth: page.width, pageHeight: page.height })
    }
  }
  return lines
}

export const visibleLines = (paper: Paper): PlacedLine[] => placedLines(paper).filter((line) => !line.hidden)

/** For comparing papers: lower case, no rules and dots to fill in, punctuation as spaces. */
export const normalizeText = (text: string): string =>
  text.length > LONGEST_KEPT ? normalize(text) : normalized.memo(text)

const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[_.…]{2,}/g, ' ')
    .replace(/[^\p{L}\p{N}+=<>%$€£°^*/-]+/gu, ' ')
    .trim()

/** A blank's lines are compared with those of each page of each paper. */
const normalized = new LRUCache({ max: 5000, memoMethod: normalize })
const LONGEST_KEPT = 300

const PAGE_NUMBER = /^\W*(?:page|p\.|pg\.?)?\s*\d{1,4}\s*(?:(?:of|\/)\s*\d{1,4})?(?![.):])\W*$/i
const PAGE_OF = /^\W*(?:.{0,40}\W)?page\s+\d+(?:\s*(?:of|\/)\s*\d+)?\W*$|^\W*(?:turn|please turn)\s+over\W*$/i
const NAME_FIELD_LINE =
  /^\W*(?:(?:student|full|first|last|family|given|your|candidate)(?:'s)?\s+)*(?:name|student\s*(?:id|no\.?|number)|(?:roll|candidate|matriculation|seat)\s*(?:no\.?|number)|id(?:\s*(?:no\.?|number))?|date(?:\s+of\s+birth)?|class|course|period|section|group|teacher|instructor|score|grade|marks?|total\s+score)\s*(?:[:#]|_{2,}|\.{3,}|$)/i

/** “(d) True or false? [1]”: several pages may happen to begin so. */
const PART_WITH_MARKS =
  /^\W{0,2}(?:\d{1,2}|[a-z]{1,4})\s?[.)\]]\s+\S.*[[(]\s*\d{1,2}\s*(?:marks?|points?|pts?)?\s*[\])]\s*$/i

/** “Question 3”, “Problem 2 [8 pts]”, where each question starts a page. */
const QUESTION_HEADING =
  /^\W{0,2}(?:(?:question|problem|exercise|task)\s+\d{1,2}(?!\d)(?!\s*(?:of|\/)\s*\d)|\d{1,2}\s?[.):]?\s*[([]\s*\d{1,3}\s*(?:points?|pts?|marks?)\b)/i

/** “Part 1: every question is worth 2 points”: several parts may begin a page. */
const POINTS_EACH = /\b(?:each|every)\b.{0,60}\b(?:points?|pts?|marks?)\b/i

export const isNameFieldLine = (text: string): boolean => NAME_FIELD_LINE.test(text)

/** Page numbers, name fields, and text at the same place in the margins of several pages. */
export function findPageFurniture(lines: PlacedLine[]): Set<PlacedLine> {
  const found = new Set<PlacedLine>()
  const margins = new Map<string, PlacedLine[]>()
  for (const line of pageNumbers(lines)) found.add(line)
  for (const line of lines) {
    const inMargin = line.box.y < line.pageHeight * 0.1 || bottomOf(line) > line.pageHeight * 0.92
    const nearTop = line.box.y < line.pageHeight * 0.25
    if ((nearTop && isNameFieldLine(line.text)) || PAGE_OF.test(line.text) || (inMargin && PAGE_NUMBER.test(line.text)))
      found.add(line)
    if (!inMargin || [PART_WITH_MARKS, QUESTION_HEADING, POINTS_EACH].some((pattern) => pattern.test(line.text)))
      continue
    const key = normalizeText(line.text).replace(/\d+/g, '#')
    margins.set(key, [...(margins.get(key) ?? []), line])
  }
  for (const same of margins.values()) {
    const pages = new Set(same.map((line) => line.page))
    const [first] = same
    // Questions can look alike (“1. Define:”, “2. Define:”); only the same height makes a header.
    if (!first || pages.size < 2 || same.some((line) => Math.abs(line.box.y - first.box.y) > 6)) continue
    for (const line of same) found.add(line)
  }
  return found
}

/** Numbers that count with the pages, each at the same place. */
function pageNumbers(lines: readonly PlacedLine[]): PlacedLine[] {
  const alone = lines.filter(({ text }) => /^\W{0,3}\d{1,3}\W{0,3}$/.test(text))
  const offsets = Map.groupBy(
    alone,
    (line) => `${Number(/\d+/.exec(line.text)?.[0]) - line.page} ${Math.round(line.box.y / 6)}`,
  )
  return [...offsets.values()].flatMap((same) =>
    same.length >= 3 && new Set(same.map(({ page }) => page)).size === same.length ? same : [],
  )
}

export const bottomOf = (line: { box: { y: number; height: number } }): number => line.box.y + line.box.height

/** `margin`: how far beyond the box still counts, in points. */
export const isInBox = (x: number, y: number, box: Box, margin = 0): boolean =>
  x >= box.x - margin && x <= box.x + box.width + margin && y >= box.y - margin && y <= box.y + box.height + margin

export const cellsOf = ({ cells, text, box }: Pick<Line, 'cells' | 'text' | 'box'>): Cell[] =>
  cells ?? [{ text, x: box.x, width: box.width }]

export const toEvidence = ({ page, box, text }: PlacedLine): Evidence => ({ page, box, quote: text })

const FILL = /_{2,}|\.{4,}|…+|(?:\. ){3,}\.?|(?:_ ){2,}_?/g

/** In ems, for ordinary fonts. */
function widthOf(letter: string): number {
  if (/[iljtfrI.,:;'|!()[\]’]/.test(letter)) return 0.3
  if (letter === ' ') return 0.27
  if (letter === '_') return 0.53
  if (/[mwMW—…]/.test(letter)) return 0.85
  return /[\p{Lu}\d]/u.test(letter) ? 0.6 : 0.5
}

/** Without the room to write in between; boxes in points. */
export function printedSpans(line: PlacedLine): { text: string; box: Box }[] {
  return cellsOf(line).flatMap(({ text, x, width }) => {
    const whole = widthUpTo(text, text.length)
    const at = (index: number) => x + (width * widthUpTo(text, index)) / Math.max(0.1, whole)
    const spans: { text: string; box: Box }[] = []
    let from = 0
    const add = (to: number) => {
      const words = text.slice(from, to)
      if (words.trim() !== '') {
        const start = from + (words.length - words.trimStart().length)
        const end = from + words.trimEnd().length
        spans.push({ text: words.trim(), box: { ...line.box, x: at(start), width: at(end) - at(start) } })
      }
    }
    for (const match of text.matchAll(FILL)) {
      add(match.index)
      from = match.index + match[0].length
    }
    add(text.length)
    return spans
  })
}

function widthUpTo(text: string, end: number): number {
  let width = 0
  for (let i = 0; i < end; i += 1) width += widthOf(text[i] ?? '')
  return width
}

export function printedWords(line: Pick<PlacedLine, 'text' | 'box' | 'cells'>): { text: string; box: Box }[] {
  return cellsOf(line).flatMap(({ text, x, width }) => {
    const whole = Math.max(0.1, widthUpTo(text, text.length))
    return [...text.matchAll(/\S+/g)].map((match) => {
      const from = x + (width * widthUpTo(text, match.index)) / whole
      const to = x + (width * widthUpTo(text, match.index + match[0].length)) / whole
      return { text: match[0], box: { ...line.box, x: from, width: to - from } }
    })
  })
}

export interface Row {
  line: PlacedLine
  text: string
  cells: Cell[]
  /** Outermost first. */
  labels: LabelToken[]
  explicit: boolean
  bold: boolean
  marks?: number[]
  /** `A` where the row begins a section by its letter. */
  section?: string
}

export function toRow(line: PlacedLine): Row {
  const cells = cellsOf(line)
  const { labels, explicit } = scanLabels(line.text)
  return { line, text: line.text, cells, labels, explicit, bold: cells[0]?.bold === true }
}

const ANSWER_SPACE = /(?:_\s?){4,}|(?:\.\s?){6,}|(?:…\s?){3,}/

export const hasAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean => ANSWER_SPACE.test(text)

export const isAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean =>
  hasAnswerSpace({ text }) && !/[\p{L}\p{N}]/u.test(text)

const RIGHT_OF_LABEL = 8 // points
const TOUCHING = 3 // points: rows of brackets touch those below them, give or take

/** Upper rows of a matrix and limits of an integral stand higher than their question's number. */
export function withTallFormulas<R extends Row>(rows: readonly R[]): R[] {
  const ordered: R[] = []
  for (const row of rows) {
    const over: R[] = []
    if (row.labels.length > 0) {
      for (let last = ordered.at(-1); last && reachesInto(last, row, over[0] ?? row); last = ordered.at(-1)) {
        ordered.pop()
        over.unshift(last)
      }
    }
    ordered.push(row, ...over)
  }
  return ordered
}

function reachesInto(above: Row, labelled: Row, below: Row): boolean {
  // “2 1 1 −1” is a row of a matrix, “2.” and “(b)” are labels.
  const numbered = above.explicit || above.labels.some(({ style }) => style.length > 1)
  if (numbered || above.line.page !== labelled.line.page) return false
  if (above.line.box.x < labelled.line.box.x + RIGHT_OF_LABEL || /\p{L}{3}/u.test(above.text)) return false
  const gap = below.line.box.y - bottomOf(above.line)
  return gap < 0 || (gap < TOUCHING && !/[\p{L}\p{N}]/u.test(above.text))
}
