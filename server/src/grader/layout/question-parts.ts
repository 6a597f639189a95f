import { readPoints, readPointsEach } from './printed-points.ts'
import { type LabelToken, romanValue } from './question-labels.ts'
import { hasAnswerSpace, isAnswerSpace, type Row } from './rows.ts'

/** A question or a part of one with the rows it takes up. */
export interface QuestionUnit {
  /** Its number, outermost level first. */
  path: string[]
  /** Labels of its first row that are its own number. */
  used: number
  /** Where its words start in its first row. */
  skip: number
  section: number
  /** `A` where sections number anew and have names. */
  sectionName: string | null
  /** What its section asks of all its questions: “Circle the right word.” */
  lead?: string
  rows: Row[]
  pointsEach: number | null
  children: QuestionUnit[]
}

interface PartStart {
  at: number
  label: LabelToken
  used: number
}

const ASKS =
  /\?|\b(?:explain|state|describe|name|give|calculate|find|define|list|draw|sketch|why|what|how|when|where|who|which|prove|show|compute|determine|discuss|compare|write|solve|outline|identify|label|complete|evaluate|derive|justify|suggest|estimate|work out|simplify)\b/i
const CHOOSES = /\b(?:which|circle|tick|choose|pick|select|underline|best answer|correct (?:answer|option|letter))\b/i
const MOST_OPTION_WORDS = 14

/** Divides a question into its parts, and these into theirs. Options to choose from are no parts. */
export function divideQuestion(unit: QuestionUnit, depth = 0): void {
  if (depth > 2) return
  // “____ 3. ribosome”: what is lettered below is to choose from.
  if (depth === 0 && /^\s*(?:_\s?){2,}\s*\d/.test(unit.rows[0]?.text ?? '')) return
  const sequences = findSequences(unit)
  for (const starts of sequences) {
    const lead = unit.rows.slice(0, starts[0]?.at)
    const each = lead.map(({ text }) => readPointsEach(text)).findLast((points) => points !== null) ?? unit.pointsEach
    const children = starts.map(({ at, label, used }, i): QuestionUnit => {
      const rows = unit.rows.slice(at, starts[i + 1]?.at ?? unit.rows.length)
      return {
        path: [...unit.path, label.value],
        used,
        skip: label.end,
        section: unit.section,
        sectionName: unit.sectionName,
        rows,
        pointsEach: each,
        children: [],
      }
    })
    if (!areParts(unit, children)) continue
    unit.children = children
    for (const child of children) divideQuestion(child, depth + 1)
    return
  }
}

/** Points printed in a question's rows: beside its words, on a row of their own, or broken over two. */
export function rowPoints(rows: readonly Row[]): number | null {
  for (const row of rows) {
    if (row.marks !== undefined) return row.marks
    const last = row.cells.length > 1 ? row.cells.at(-1) : undefined
    const found = (last && readPoints(last.text)) ?? readPoints(row.text)
    if (found) return found.points
  }
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1]
    if (!next || !/[([]\s*\d{0,3}\s*$/.test(row.text)) continue
    const found = readPoints(`${row.text} ${next.text}`)
    if (found) return found.points
  }
  return null
}

/** Runs of labels in one style that count up from the first: (a), (b), … or (i), (ii), …; the outer ones first. */
function findSequences(unit: QuestionUnit): PartStart[][] {
  const groups = new Map<string, PartStart[]>()
  unit.rows.forEach((row, at) => {
    const used = at === 0 ? unit.used : repeatsPath(row, unit)
    const label = row.labels[used]
    if (!label) return
    if (label.kind === 'number' && label.style !== '.1') return
    if (label.style.length === 1 && !isSetApart(row, label)) return
    groups.set(label.style, [...(groups.get(label.style) ?? []), { at, label, used: used + 1 }])
  })
  const found: PartStart[][] = []
  for (const starts of groups.values()) {
    for (const rankOf of [letterValue, romanValue, Number]) {
      const run: PartStart[] = []
      for (const start of starts) if (rankOf(start.label.value) === run.length + 1) run.push(start)
      if (run.length >= 2) found.push(run)
    }
  }
  return found.sort((a, b) => (a[0]?.at ?? 0) - (b[0]?.at ?? 0) || b.length - a.length)
}

/** “1 (b)” below “1 (a)” names its question again. */
function repeatsPath(row: Row, unit: QuestionUnit): number {
  const repeated = unit.path.every((value, level) => row.labels[level]?.value === value.toLowerCase())
  return repeated ? unit.path.length : row.labels[0]?.kind === 'number' ? Number.POSITIVE_INFINITY : 0
}

/** A letter without stop or bracket must stand apart from the words after it. */
function isSetApart(row: Row, label: LabelToken): boolean {
  const cell = row.cells.find(({ text }) => new RegExp(String.raw`(?:^|\W)${label.value}$`, 'i').test(text.trim()))
  return (row.cells.length > 1 && cell !== undefined) || /^["“'‘(]?\p{Lu}|^_{3}/u.test(row.text.slice(label.end))
}

const letterValue = (value: string): number => (value.length === 1 ? value.charCodeAt(0) - 96 : 0)

/** Parts have points of their own, or ask something, or leave room below; options are short and share all that. */
function areParts(unit: QuestionUnit, parts: QuestionUnit[]): boolean {
  const stem = rowsBefore(unit, parts)
  const lead = stem.map(({ text }) => text).join(' ')
  const withPoints = parts.filter(({ rows }) => rowPoints(rows) !== null).length
  if (withPoints >= 2 || stem.some(({ text }) => readPointsEach(text) !== null)) return true
  const chooses = CHOOSES.test(lead)
  const room = parts.filter((part, i) => leavesAnswerRoom(part, parts[i + 1])).length
  if (room >= Math.max(1, (parts.length - 1) / 2))
    return !chooses || parts.some(({ rows }) => rows.some(hasAnswerSpace))
  if (chooses) return false
  const texts = parts.map(({ rows, skip }) => (rows[0]?.text ?? '').slice(skip))
  const wordy = texts.some((text) => text.split(/\s+/).length > MOST_OPTION_WORDS)
  if (texts.filter((text) => ASKS.test(text)).length * 2 > parts.length) return true
  // One mark for each row of a table to fill in.
  return rowPoints(stem) === parts.length && !wordy && !/\?/.test(lead)
}

/** The rows that lead into the parts of a question. */
export function rowsBefore(unit: QuestionUnit, [first]: QuestionUnit[]): Row[] {
  const row = first?.rows[0]
  return row ? unit.rows.slice(0, unit.rows.indexOf(row)) : []
}

function leavesAnswerRoom(part: QuestionUnit, next: QuestionUnit | undefined): boolean {
  if (part.rows.some((row) => isAnswerSpace(row) || hasAnswerSpace(row))) return true
  const last = part.rows.at(-1)?.line
  const following = next?.rows[0]?.line
  if (!last || !following) return false
  if (following.page !== last.page) return following.box.y > following.pageHeight * 0.2
  return following.box.y - (last.box.y + last.box.height) > 2.4 * last.box.height
}
