import type { Box, Cell, Evidence, Line, Paper } from '@assay/shared/papers.ts'
import { LRUCache } from 'lru-cache'
import { type LabelToken, scanLabels } from './question-labels.ts'

export interface PlacedLine extends Line {
  page: number
  pageWidth: number
  pageHeight: number
  /** The line as printed, of which this is a stretch. */
  stretchOf?: PlacedLine
  /** Points that stand beside it in a column of marks. */
  marks?: number[]
}

/** Papers are cut here: the grader must stay quick whatever it is given. A dense page has about 60 lines. */
const MAX_LINES = 6000
/** A form field can hold an essay in one line. */
const MAX_LINE_LENGTH = 20_000

/** All lines of a paper in reading order, hidden ones included. */
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

/** Text as it is compared between papers: small letters, rules and dots to fill in gone, punctuation to spaces. */
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
/** Recognised anywhere on the page. */
const PAGE_OF = /^\W*(?:.{0,40}\W)?page\s+\d+(?:\s*(?:of|\/)\s*\d+)?\W*$|^\W*(?:turn|please turn)\s+over\W*$/i
const NAME_FIELD_LINE =
  /^\W*(?:(?:student|full|first|last|family|given|your|candidate)(?:'s)?\s+)*(?:name|student\s*(?:id|no\.?|number)|(?:roll|candidate|matriculation|seat)\s*(?:no\.?|number)|id(?:\s*(?:no\.?|number))?|date(?:\s+of\s+birth)?|class|course|period|section|group|teacher|instructor|score|grade|marks?|total\s+score)\s*(?:[:#]|_{2,}|\.{3,}|$)/i

/** “(d) True or false? [1]”: a part that several pages happen to begin with. */
const PART_WITH_MARKS =
  /^\W{0,2}(?:\d{1,2}|[a-z]{1,4})\s?[.)\]]\s+\S.*[[(]\s*\d{1,2}\s*(?:marks?|points?|pts?)?\s*[\])]\s*$/i

/** “Question 3”, “Problem 2 [8 pts]”: what several pages begin with where each question starts a page. */
const QUESTION_HEADING =
  /^\W{0,2}(?:(?:question|problem|exercise|task)\s+\d{1,2}(?!\d)(?!\s*(?:of|\/)\s*\d)|\d{1,2}\s?[.):]?\s*[([]\s*\d{1,3}\s*(?:points?|pts?|marks?)\b)/i

/** “Part 1: every question is worth 2 points”: of several parts that happen to begin a page. */
const POINTS_EACH = /\b(?:each|every)\b.{0,60}\b(?:points?|pts?|marks?)\b/i

/** “Name: …  Date: …”: filled in by students, but no answer. */
export const isNameFieldLine = (text: string): boolean => NAME_FIELD_LINE.test(text)

/**
 * Page furniture, which belongs to no question: page numbers, name fields, and text at the same place in
 * the upper or lower margin of several pages.
 */
export function findPageFurniture(lines: PlacedLine[]): Set<PlacedLine> {
  const found = new Set<PlacedLine>()
  const margins = new Map<string, PlacedLine[]>()
  for (const line of pageNumbers(lines)) found.add(line)
  for (const line of lines) {
    const inMargin = line.box.y < line.pageHeight * 0.1 || bottomOf(line) > line.pageHeight * 0.92
    // Further down “Class: …” or “Period: …” may well be an answer.
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
    // Questions start with a number and can look alike (“1. Define:”, “2. Define:”): only the same height is a header.
    if (!first || pages.size < 2 || same.some((line) => Math.abs(line.box.y - first.box.y) > 6)) continue
    for (const line of same) found.add(line)
  }
  return found
}

/** Numbers alone on their lines that count with the pages, each at the same place. */
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

/** A line's cells; one of all its text where it has none. */
export const cellsOf = ({ cells, text, box }: Pick<Line, 'cells' | 'text' | 'box'>): Cell[] =>
  cells ?? [{ text, x: box.x, width: box.width }]

export const toEvidence = ({ page, box, text }: PlacedLine): Evidence => ({ page, box, quote: text })

/** Rules and dots to write on, printed as letters. */
const FILL = /_{2,}|\.{4,}|…+|(?:\. ){3,}\.?|(?:_ ){2,}_?/g

/** Rough widths of letters, in ems of ordinary fonts. */
function widthOf(letter: string): number {
  if (/[iljtfrI.,:;'|!()[\]’]/.test(letter)) return 0.3
  if (letter === ' ') return 0.27
  if (letter === '_') return 0.53
  if (/[mwMW—…]/.test(letter)) return 0.85
  return /[\p{Lu}\d]/u.test(letter) ? 0.6 : 0.5
}

/** Where a printed line has letters: its cells without the room to write in between. Boxes in points. */
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

/** Where each word of a line stands, by the rough widths of its letters. */
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
  /** What could number a question at its start, outermost first. */
  labels: LabelToken[]
  explicit: boolean
  bold: boolean
  /** What stands beside and below it in a column of marks. */
  marks?: number[]
  /** `A` where the row begins a section by its letter. */
  section?: string
}

export function toRow(line: PlacedLine): Row {
  const cells = cellsOf(line)
  const { labels, explicit } = scanLabels(line.text)
  return { line, text: line.text, cells, labels, explicit, bold: cells[0]?.bold === true }
}

/** Answer space: dots, dashes, underscores, perhaps after a word (“Acceleration = ……… m/s²”). */
const ANSWER_SPACE = /(?:_\s?){4,}|(?:\.\s?){6,}|(?:…\s?){3,}/

export const hasAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean => ANSWER_SPACE.test(text)

export const isAnswerSpace = ({ text }: Pick<Row, 'text'>): boolean =>
  hasAnswerSpace({ text }) && !/[\p{L}\p{N}]/u.test(text)

/** What stands over a label's words starts at least so far right of the label, in points. */
const RIGHT_OF_LABEL = 8
/** Rows of brackets touch those below them, give or take, in points. */
const TOUCHING = 3

/** Puts what stands higher than its row's number behind that row: upper rows of a matrix, limits of an integral. */
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
  // Formulas have single letters and no words.
  if (above.line.box.x < labelled.line.box.x + RIGHT_OF_LABEL || /\p{L}{3}/u.test(above.text)) return false
  const gap = below.line.box.y - bottomOf(above.line)
  return gap < 0 || (gap < TOUCHING && !/[\p{L}\p{N}]/u.test(above.text))
}
