import { readPointsEach } from './printed-points.ts'
import { type LabelToken, romanValue } from './question-labels.ts'
import { rowPoints } from './question-parts.ts'
import type { Row } from './rows.ts'

/** Where a main question starts. */
export interface QuestionStart {
  at: number
  label: LabelToken
  /** From 1: papers whose sections number anew have several. */
  section: number
  /** `A` of “Section A”; null where no heading names it. */
  sectionName: string | null
  /** “(2 points each)” printed above it. */
  pointsEach: number | null
  /** Whether a bold heading stands above it, and the points that names. */
  opensSection: boolean
  sectionPoints: number | null
}

const SECTION = /^\W*(?:section|part|teil)\s+([A-Z]|[IVX]+|\d+)\b/i
/** `A` of “Section A: short answers”; null for any other row. */
export const sectionNameOf = ({ text, section }: Pick<Row, 'text' | 'section'>): string | null =>
  section ?? SECTION.exec(text)?.[1]?.toUpperCase() ?? null
export const isSectionHeading = (row: Row): boolean => sectionNameOf(row) !== null

/** A bold line that leads over to the next questions, as “Essay (10 pts)”, below a question that is not bold. */
export function headingsAfter(rows: readonly Row[]): Row[] {
  if (rows[0]?.bold) return []
  const last = rows.findLastIndex((row) => !row.bold || row.labels.length > 0 || NO_HEADING.test(row.text))
  return rows.slice(last + 1)
}
const NO_HEADING = /\b(?:total|answers?|turn over|end of)\b|[=_]|\.{4}/i

/** What a main label counts: `3`, or 3 for `III`. */
const countOf = (label: LabelToken): number => (label.kind === 'number' ? Number(label.value) : romanValue(label.value))

/** A number set off by nothing may be a quantity; it must stand this near to the margin, in points. */
const NEAR_MARGIN = 16
const MOST_NUMBER = 200

/** Where each question starts: of all styles of numbers in the paper, the one that counts up with the most marks and words to it. */
export function findMainNumbers(rows: Row[]): QuestionStart[] {
  const margin = Math.min(...rows.map(({ line }) => line.box.x))
  const groups = new Map<string, number[]>()
  rows.forEach((row, at) => {
    const key = styleOf(row, margin)
    if (key) groups.set(key, [...(groups.get(key) ?? []), at])
  })
  let best: { starts: QuestionStart[]; score: number } = { starts: [], score: 0 }
  for (const [key, candidates] of groups) {
    const starts = countUp(rows, candidates)
    const score = scoreOf(rows, starts) + (key.startsWith('Q') ? 0.5 : 0)
    if (score > best.score) best = { starts, score }
  }
  return best.starts.map((start, i, all) => {
    // “Essay (10 pts)” above one question is what that is worth.
    const alone = start.opensSection && (all[i + 1]?.opensSection ?? true)
    return alone && start.sectionPoints !== null ? { ...start, pointsEach: start.sectionPoints } : start
  })
}

/** How a row is numbered; null where its number is none of a question. */
function styleOf(row: Row, margin: number): string | null {
  const [label] = row.labels
  if (label?.kind === 'letter')
    return label.style.length > 1 && label.style.includes('A') && romanValue(label.value) > 0 ? `R${label.style}` : null
  if (!label || Number(label.value) > MOST_NUMBER || Number(label.value) < 1) return null
  if (row.explicit) return 'Q'
  if (label.style.length > 1) return label.style
  const rest = row.text.slice(label.end)
  const apart = row.cells.length > 1 && /^\W*\d{1,3}$/.test(row.cells[0]?.text.trim() ?? '')
  if (row.line.box.x > margin + NEAR_MARGIN && !apart) return null
  return apart || row.labels.length > 1 || /^["“'‘]?\p{Lu}/u.test(rest) ? '1' : null
}

function countUp(rows: Row[], candidates: number[]): QuestionStart[] {
  let starts: QuestionStart[] = []
  let section = 1
  let sectionName: string | null = null
  let from = 0
  let pointsEach: number | null = null
  for (const at of candidates) {
    const row = rows[at]
    const [label, inner] = row?.labels ?? []
    if (!row || !label) continue
    const between = rows.slice(from, at)
    from = at
    const headings = between.flatMap((one) => sectionNameOf(one) ?? [])
    const heading = headings.length > 0
    sectionName = headings.at(-1) ?? sectionName
    const bold = starts.length > 0 ? headingsAfter(between) : []
    const sectionPoints = bold.length > 0 ? rowPoints(bold) : null
    if (bold.length > 0) pointsEach = null
    for (const { text } of between) pointsEach = readPointsEach(text) ?? pointsEach
    if (heading && !between.some(({ text }) => readPointsEach(text) !== null)) pointsEach = null
    const last = starts.at(-1)
    const number = countOf(label)
    const previous = last ? countOf(last.label) : 0
    const continues = last && number === previous && inner !== undefined
    const start = { at, label, section, sectionName, pointsEach, sectionPoints, opensSection: bold.length > 0 }
    if (number === previous + 1 || continues || (last && number === previous + 2)) starts.push(start)
    else if (!last && number <= 3) starts.push(start)
    else if (number === 1 && last) {
      const instructions = starts.every(({ at: other }) => !asksOrGivesPoints(rows.slice(other, at)))
      if (instructions) starts = []
      else if (heading || rowPoints([row]) !== null) section += 1
      else continue
      starts.push({ ...start, section })
    }
  }
  return starts
}

const asksOrGivesPoints = (rows: Row[]): boolean =>
  rows.some(({ text }) => text.includes('?')) || rowPoints(rows) !== null

function scoreOf(rows: Row[], starts: QuestionStart[]): number {
  const [first] = starts
  if (!first) return 0
  return starts.reduce(
    (sum, { at }, i) => {
      const own = rows.slice(at, starts[i + 1]?.at ?? rows.length)
      const bold = rows[at]?.bold ? 0.3 : 0
      return sum + 1 + bold + (asksOrGivesPoints(own) ? 1.5 : 0)
    },
    starts.length === 1 && rowPoints(rows.slice(first.at)) === null ? -0.5 : 0,
  )
}
