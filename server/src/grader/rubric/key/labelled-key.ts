import { LabelFollower, pathOfNumber } from '../../layout/label-follower.ts'
import type { PrintedQuestion } from '../../layout/printed-question.ts'
import type { Row } from '../../layout/rows.ts'
import {
  findMarksColumn,
  type HeaderColumns,
  type KeyLine,
  readHeader,
  toKeyLine,
  toKeyLineByHeader,
} from './key-lines.ts'
import type { KeyRow } from './table-key.ts'

/** A key that names its questions: a table, a list, solutions under “Question 3”. Null where it names too few. */
export function readLabelledKey(questions: PrintedQuestion[], rows: KeyRow[]): Map<string, KeyLine[]> | null {
  const heads = new Map(rows.map((row) => [row, readHeader(row.cells)]))
  const body = rows.filter(
    (row, i) =>
      !heads.get(row) &&
      !BARE_HEADING.test(row.text) &&
      !isBoldHeading(row, rows[i + 1]) &&
      !isHeader(row.cells.map(({ text }) => text).join(' ')),
  )
  const margin = Math.min(...body.filter(({ labels }) => labels.length > 0).map(({ line }) => line.box.x))
  const marks = findMarksColumn(body.map(({ cells }) => ({ cells, margin })))
  const labels = new LabelFollower(
    questions.map(({ number }) => pathOfNumber(number)),
    body,
  )
  const found = new Map<string, KeyLine[]>()
  let head: HeaderColumns | null = null
  const own = new Set(body)
  for (const row of rows) {
    head = heads.get(row) ?? head
    if (!own.has(row)) continue
    const followed = labels.follow(row)
    const question = questions[labels.index]
    if (!question) continue
    if (row.keyLines) {
      found.set(question.id, [...(found.get(question.id) ?? []), ...row.keyLines])
      continue
    }
    const cells = withoutLabel(row, followed?.end ?? 0)
    const line = head ? toKeyLineByHeader(cells, head) : toKeyLine(cells, marks)
    found.set(question.id, [...(found.get(question.id) ?? []), line])
  }
  return found.size * 2 >= questions.length ? found : null
}

/** A row's cells without the label it starts with. */
function withoutLabel(row: Row, end: number): Row['cells'] {
  if (end === 0) return row.cells
  let left = row.text.slice(0, end).replace(/\s+/g, '').length
  return row.cells.flatMap((cell) => {
    if (left === 0) return [cell]
    let cut = 0
    while (cut < cell.text.length && left > 0) {
      if (/\S/.test(cell.text[cut] ?? '')) left -= 1
      cut += 1
    }
    const text = cell.text.slice(cut).trim()
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

/** “Part II.”, “Section B”: no answer of the question above. */
const BARE_HEADING = /^\W*(?:section|part)\s+[\dA-Z]{1,4}\W*$/i

const isHeader = (text: string): boolean =>
  /\b(?:marks?|points?)\b/i.test(text) &&
  /\b(?:answers?|question|solution|guidance|comments?|expected)\b/i.test(text) &&
  text.length < 90 &&
  !/\d/.test(text)
