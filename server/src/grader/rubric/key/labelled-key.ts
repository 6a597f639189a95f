import { levelsOf } from '../../layout/outline/outline-steps.ts'
import { outlineOfKey } from '../../layout/outline/read-outline.ts'
import type { Row } from '../../layout/paper-lines.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'
import {
  findMarksColumn,
  type HeaderColumns,
  type KeyLine,
  readFrom,
  readHeader,
  toKeyLine,
  toKeyLineByHeader,
} from './key-lines.ts'
import { answerInStyles } from './repeated-key.ts'
import type { KeyRow } from './table-key.ts'

interface Blank {
  rows: readonly Row[]
  /** By rows that print the blank's again, what they add. */
  added: ReadonlyMap<Row, string>
  styles: ReadonlySet<string>
}

export function readLabelledKey(
  questions: readonly PrintedQuestion[],
  rows: readonly KeyRow[],
  blank: Blank,
): Map<string, KeyLine[]> {
  const heads = new Map(rows.map((row) => [row, readHeader(row.cells)]))
  const body = rows.filter(
    (row, i) =>
      !heads.get(row) && !isBoldHeading(row, rows[i + 1]) && !isHeader(row.cells.map(({ text }) => text).join(' ')),
  )
  const margin = Math.min(...body.filter(({ labels }) => labels.length > 0).map(({ line }) => line.box.x))
  const marks = findMarksColumn(body.map(({ cells }) => ({ cells, margin })))
  const numbers = questions.map(({ number }) => number)
  const entriesOfKey = outlineOfKey(body, blank.rows, numbers)
  const asked = entriesOfKey.filter(({ kind }) => kind === 'question')
  const starts = Map.groupBy(asked, ({ row }) => body[row])
  const sections = new Set(entriesOfKey.flatMap(({ kind, row }) => (kind === 'section' ? [body[row]] : [])))
  const paths = numbers.map(levelsOf)
  const own = new Set(body)
  const found = new Map<string, KeyLine[]>()
  let current: Target | null = null
  let head: HeaderColumns | null = null
  const add = (target: Target | null, row: KeyRow, lines: readonly KeyLine[]) => {
    if (target)
      target.parts.push({
        row,
        lines: lines
          .filter(({ text }) => !ANY.test(text.replace(TIMES, ' ')))
          .map(tickedLine)
          .map((line) => readFrom(line, row.line)),
      })
  }
  const close = (target: Target | null, next: Target | null) => {
    const [question] = target?.questions ?? []
    if (!target || !question) return
    // What stands under a question's own number leads into its parts, where these follow.
    const leads =
      target.questions.length > 1 && next !== null && next.questions.every((one) => target.questions.includes(one))
    if (!leads) found.set(question.id, [...(found.get(question.id) ?? []), ...answerLines(target.parts, blank)])
  }
  for (const row of rows) {
    head = heads.get(row) ?? head
    if (!own.has(row)) continue
    if (sections.has(row)) {
      close(current, null)
      current = null
      continue
    }
    const entries = starts.get(row) ?? []
    const lineOf = (from: number, to: number): KeyLine[] => {
      if (row.keyLines) return row.keyLines
      const cells = cellsBetween(row, from, to)
      return [head ? toKeyLineByHeader(cells, head) : toKeyLine(cells, marks)]
    }
    const [first] = entries
    if (!first) {
      add(current, row, lineOf(0, row.text.length))
      continue
    }
    if (first.from > 0) add(current, row, lineOf(0, first.from))
    for (const [i, entry] of entries.entries()) {
      const path = entry.section === null ? entry.path : [entry.section, ...entry.path]
      const under = questionsUnder(questions, paths, path)
      const target: Target | null = {
        questions: under.length > 0 ? under : questionsUnder(questions, paths, entry.path),
        parts: [],
      }
      close(current, target)
      current = target
      add(target, row, lineOf(entry.end, entries[i + 1]?.from ?? row.text.length))
    }
  }
  close(current, null)
  return found
}

interface Part {
  row: KeyRow
  lines: readonly KeyLine[]
}

interface Target {
  questions: PrintedQuestion[]
  parts: Part[]
}

/** The question may be repeated before “Solution:”, “Ans.”. */
const MARKER =
  /^\W{0,3}(?:(?:model|correct|sample|suggested|expected)\s+)?(?:solutions?|answers?|ans|sol)\b\s*(?:\([^()]{0,20}\)\s*)?(?:[:.–—-]|$)/i
const REPEATS = 16 // letters; less may agree with the blank by chance

function answerLines(parts: readonly Part[], { added, styles }: Blank): KeyLine[] {
  const at = parts.findIndex(({ lines }, i) => i > 0 && MARKER.test(lines[0]?.text ?? ''))
  const behind = at < 0 ? parts : parts.slice(at)
  const again = parts.filter(({ row }) => added.has(row))
  const repeats = again.length > 1 || again.some(({ row }) => row.text.length >= REPEATS)
  if (!repeats) return behind.flatMap(({ lines }) => lines)
  const coloured = behind.flatMap(({ row }): KeyLine[] => {
    const line = answerInStyles(row.line, styles)
    return line ? [line] : []
  })
  if (coloured.length > 0) return coloured
  return behind.flatMap(({ row, lines }): readonly KeyLine[] => {
    const text = added.get(row)
    if (text === undefined) return lines
    return text === '' ? [] : [readFrom({ text, right: row.line.box.x + row.line.box.width }, row.line)]
  })
}

const questionsUnder = (questions: readonly PrintedQuestion[], paths: readonly string[][], path: readonly string[]) =>
  questions.filter((_, i) => path.every((value, level) => paths[i]?.[level] === value.toLowerCase()))

/** Each is a mark; symbol fonts have ticks in the private use area. */
const TICK = /[✓✔☑\u{F050}\u{F052}\u{F0D6}\u{F0FC}\u{F0FE}]/gu

const TIMES = /\(\s*(?:any\s+)?\d{1,2}\s*[x×]\s*\d{1,2}\s*\)/i
const WORTH = /[([]\s*\d{1,3}\s*(?:marks?|points?|pts)\s+(?:available|possible|total|in total)\s*[)\]]/i
/** “[ANY TWO]”: the points above are more than are asked for. */
const ANY = /^\W*any\s+(?:one|two|three|four|five|six|\d)\b[^:]{0,60}$/i

function tickedLine(line: KeyLine): KeyLine {
  const text = line.text.replace(TIMES, ' ').replace(WORTH, ' ').trim()
  const ticks = text.match(TICK)?.length ?? 0
  if (ticks === 0) return { ...line, text }
  return { ...line, text: text.replace(TICK, ' ').replace(/\s+/g, ' ').trim(), points: line.points ?? ticks }
}

function cellsBetween(row: Row, from: number, to: number): Row['cells'] {
  let at = 0
  return row.cells.flatMap((cell) => {
    const found = row.text.indexOf(cell.text, at)
    const start = found < 0 ? at : found
    at = start + cell.text.length
    const text = cell.text.slice(Math.max(0, from - start), Math.max(0, to - start)).trim()
    return text === '' ? [] : [{ ...cell, text }]
  })
}

/** “COMPLETION” in bold above the next number. */
const isBoldHeading = (row: KeyRow, next: KeyRow | undefined): boolean =>
  row.bold &&
  row.labels.length === 0 &&
  !row.keyLines &&
  next?.labels[0]?.kind === 'number' &&
  !next.bold &&
  /^[\p{L}\s/&-]{3,40}$/u.test(row.text) &&
  (row.text === row.text.toUpperCase() ||
    /\b(?:choice|answers?|completion|essay|matching|questions?|problems?|true)\b/i.test(row.text))

const isHeader = (text: string): boolean =>
  /\b(?:marks?|points?)\b/i.test(text) &&
  /\b(?:answers?|question|solution|guidance|comments?|expected)\b/i.test(text) &&
  text.length < 90 &&
  !/\d/.test(text)

/** Set like the questions' numbers, and going on from them. */
export function unmatchedNumbers(questions: readonly PrintedQuestion[], rows: readonly Row[]): string[] {
  const mains = new Set(questions.map(({ mainNumber }) => mainNumber))
  const numbered = rows.flatMap(({ labels: [label], explicit }) =>
    label?.kind === 'number' && (explicit || label.style.length > 1)
      ? [{ style: label.style, value: Number(label.value) }]
      : [],
  )
  const groups = [...Map.groupBy(numbered, ({ style }) => style)].filter(([, group]) => {
    const known = new Set(group.flatMap(({ value }) => (mains.has(value) ? [value] : [])))
    return known.size >= 2 && known.size * 2 >= mains.size
  })
  // Where “Question 1” numbers the answers, “1.” numbers the steps of one.
  const [, leading = []] = groups.find(([style]) => style === 'Q') ?? groups[0] ?? []
  const unmatched = leading
    .filter(({ value }, i) => !mains.has(value) && value === (leading[i - 1]?.value ?? 0) + 1)
    .map(({ value }) => String(value))
  return [...new Set(unmatched)]
}
