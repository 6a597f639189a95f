import type { PlacedLine } from '../../layout/paper-lines.ts'
import { type LabelToken, scanLabels } from '../../layout/question-labels.ts'

export interface SheetSegment {
  line: PlacedLine
  text: string
  x: number
  inline: boolean
  labels: LabelToken[]
  explicit: boolean
  apart: boolean
  continued: boolean
}

/** “Answer 3:”, “No. 4”, “#5”, “A9:”. */
const WORD =
  /^\W{0,3}(?:(?:answers?|ans|number|num|no|nr)\b\.?\s*(?:to\s+)?|#\s?|a(?=\d{1,2}\s*[.:)]))(?:q(?:uestion)?\.?\s*)?(?=\d)/i
/** “3ai)”, “3a ii”. */
const GLUED = /^(\W{0,2}\d{1,2}\s?[a-h])\s?(?=(?:i{1,3}|iv|vi{0,3})(?:[\s).:,]|$))/i
const CONTINUED = /\bcont(?:inued|inuation|d|'d|’d)?\b/i
const DASHED = /^(\W{0,2}\d{1,2})\s?[-–=](?=\s?(?:[A-H]|T|F|True|False)(?![\p{L}\p{N}]))/iu
/** Set off on both sides, and none of “Question 4:”. */
const INLINE_NUMBER =
  /(?<=[\s,;|])(?<!(?:q|qu|question|answer|ans|problem|task|exercise|number|no|nr|to|page|p)\.?\s)\(?\d{1,2}\s?[a-h]?(?:[).:](?=\s|[A-Za-z])|\s?[-–=](?=\s?(?:[A-H]|T|F|True|False)(?![A-Za-z0-9])))/gi
const INLINE_PART = /(?<=[\s,;|])\(?[a-h]\)(?=\s)/g
/** “3 (b) …” is one label. */
const NUMBER_ALONE = /^\W{0,2}(?:q(?:uestion)?\.?\s?)?\d{1,2}[.)]?\s*$/i
const PAIRS = /^\W*(?:\d{1,2}\s?[-–=.:)]?\s?(?:[A-H]|True|False|T|F)\b[\s,;|]*){2,}$/i
const PAIR = /\d{1,2}\s?[-–=.:)]?\s?(?:True|False|[A-H]|T|F)\b/gi

export function readSheetLabels(text: string): Pick<SheetSegment, 'labels' | 'explicit' | 'continued'> {
  const word = WORD.exec(text)?.[0] ?? ''
  const rest = text.slice(word.length)
  const spaced = GLUED.exec(rest)?.[1]
  const opened = (spaced ? `${spaced} ${rest.slice(spaced.length)}` : rest).replace(
    DASHED,
    (label) => `${label.slice(0, -1)})`,
  )
  const { labels, explicit } = scanLabels(opened)
  const inText = (end: number) => Math.min(text.length, word.length + (spaced && end > spaced.length ? end - 1 : end))
  return {
    labels: labels.map((label) => ({ ...label, end: inText(label.end) })),
    explicit: explicit || (word !== '' && labels[0]?.kind === 'number'),
    continued: labels.length > 0 && CONTINUED.test(opened.slice(0, labels.at(-1)?.end)),
  }
}

function toSegment(line: PlacedLine, text: string, x: number, inline: boolean): SheetSegment {
  const [first] = (line.cells ?? []).filter((cell) => cell.text.trim() !== '')
  const apart = !inline && (line.cells?.length ?? 1) > 1 && (first?.text.trim().length ?? 9) <= 8
  return { line, text, x, inline, apart, ...readSheetLabels(text) }
}

export function sheetSegments(lines: readonly PlacedLine[]): SheetSegment[] {
  const segments: SheetSegment[] = []
  for (const own of Map.groupBy(lines, ({ page }) => page).values()) {
    const columns = columnStarts(own)
    const parts = own.flatMap((line) => partsOf(line, columns))
    const ordered = columns.flatMap((_, column) => parts.filter((part) => part.column === column))
    const gridded = withoutGrids(ordered)
    for (const part of gridded) segments.push(...splitAtLabels(part))
  }
  return segments
}

interface Part {
  line: PlacedLine
  text: string
  x: number
  column: number
}

/** Numbered columns are read one after the other. */
function columnStarts(lines: readonly PlacedLine[]): number[] {
  const starts = lines.flatMap(({ text, box, cells = [] }) => {
    const within = cells.slice(1).flatMap((cell) => (startsSetOff(cell.text) ? [cell.x] : []))
    const beside = lines.some((other) => Math.abs(other.box.y - box.y) < SAME_ROW && other.box.x < box.x)
    return beside && startsSetOff(text) ? [box.x, ...within] : within
  })
  const first = lines.filter(({ text }) => startsSetOff(text)).length
  const found: number[] = [0]
  for (const x of starts.toSorted((a, b) => a - b)) {
    const same = starts.filter((other) => Math.abs(other - x) < COLUMN).length
    if (x - (found.at(-1) ?? 0) > 4 * COLUMN && same >= 2 && first >= 2) found.push(x)
  }
  return found
}

const COLUMN = 14 // points
const SAME_ROW = 4

function startsSetOff(text: string): boolean {
  const [first] = scanLabels(text).labels
  return first?.kind === 'number' && first.style.length > 1
}

function partsOf(line: PlacedLine, columns: readonly number[]): Part[] {
  const columnAt = (x: number) => columns.findLastIndex((start) => x > start - COLUMN)
  const { cells } = line
  if (!cells || cells.length < 2 || columns.length < 2)
    return [{ line, text: line.text, x: line.box.x, column: columnAt(line.box.x) }]
  return [...Map.groupBy(cells, ({ x }) => columnAt(x))].map(([column, own]) => ({
    line,
    text: own.map(({ text }) => text).join(' '),
    x: own[0]?.x ?? line.box.x,
    column,
  }))
}

/** A row of numbers above a row of answers becomes “1 B”, “2 C”. */
function withoutGrids(parts: readonly Part[]): Part[] {
  const found: Part[] = []
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i]
    const below = parts[i + 1]
    const numbers = part?.line.cells?.map(({ text }) => text.trim()) ?? []
    const counts =
      numbers.length >= 3 &&
      numbers.every((text, at) => /^\d{1,2}$/.test(text) && Number(text) === Number(numbers[0]) + at)
    if (!part) continue
    if (!counts || !below || (below.line.cells?.length ?? 0) < 2) {
      found.push(part)
      continue
    }
    for (const [at, number] of (part.line.cells ?? []).entries()) {
      const middle = number.x + number.width / 2
      const answer = below.line.cells?.find((cell) => Math.abs(cell.x + cell.width / 2 - middle) < COLUMN)
      found.push({ ...part, line: below.line, text: `${numbers[at]}. ${answer?.text ?? ''}`.trim(), x: part.x })
    }
    i += 1
  }
  return found
}

function splitAtLabels({ line, text, x }: Part): SheetSegment[] {
  const starts = PAIRS.test(text)
    ? [...text.matchAll(PAIR)].map(({ index }) => index)
    : [...text.matchAll(INLINE_NUMBER), ...text.matchAll(INLINE_PART)].flatMap(({ index }) =>
        NUMBER_ALONE.test(text.slice(0, index)) ? [] : [index],
      )
  const cuts = [...new Set([0, ...starts])].toSorted((a, b) => a - b)
  return cuts.flatMap((from, i) => {
    const piece = text.slice(from, cuts[i + 1]).trim()
    return piece === '' ? [] : [toSegment(line, piece, x, i > 0)]
  })
}
