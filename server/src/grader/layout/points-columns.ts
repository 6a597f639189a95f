import { median } from '../../lib/numbers.ts'
import { amountOf } from './outline/points.ts'
import type { Row } from './paper-lines.ts'
import type { PrintedQuestion, SharedPoints } from './printed-question.ts'

interface PointsTable {
  points: Map<string, number>
  total: number | null
  rows: Set<Row>
}

const POINTS_HEAD =
  /^(?:max(?:imum)?\.?\s*)?(?:points?|marks?|pts\.?|out of|max(?:imum)?\.?|worth|available)(?:\s*(?:available|possible|marks?|points?))?\W*$/i
const QUESTION_HEAD = /^(?:questions?|problems?|exercises?|tasks?|q|no\.?|#|page)\W*$/i
/** Of the row or column the marker fills in. */
const EMPTY_HEAD = /^(?:your\s+)?(?:scores?|grades?|marks?|points?|earned|obtained|awarded)(?:\s+\w+)?\W*$/i
const LABEL = /^(?:q(?:uestion)?|problem)?\s*(\d{1,2})\W*$/i
const AMOUNT = /^[([/_\s]*(\d{1,3}(?:[.,]5)?)\W*$/
const LABEL_AND_AMOUNT =
  /^(?:q(?:uestion)?|problem)?\s*(\d{1,2})\W+(\d{1,3}(?:[.,]5)?)\s*(?:points?|pts?\.?|marks?)?\W*$/i
const TOTAL = /^(?:grand\s+)?(?:total|sum)\W*$/i

export function readPointsTable(rows: readonly Row[]): PointsTable {
  const found: PointsTable = { points: new Map(), total: null, rows: new Set() }
  for (const [at, row] of rows.entries()) {
    const heads = row.cells.map(({ text }) => text.trim())
    const question = heads.findIndex((text) => QUESTION_HEAD.test(text))
    const points = heads.findIndex((text) => POINTS_HEAD.test(text))
    if (question >= 0 && points >= 0) readUpright(rows.slice(at), question, points, found)
    else if (question === 0 && heads.length > 2) readLying(row, rows.slice(at + 1, at + 3), found)
    if (found.points.size >= 2) return found
    found.points.clear()
    found.rows.clear()
    found.total = null
  }
  return found
}

function readUpright(rows: readonly Row[], question: number, points: number, found: PointsTable): void {
  const [head] = rows
  const column = head?.cells[points]
  if (!head || !column) return
  found.rows.add(head)
  for (const row of rows.slice(1)) {
    const both = LABEL_AND_AMOUNT.exec(row.text.trim())
    if (both?.[1] && both[2] && row.cells.length < 3) {
      found.rows.add(row)
      found.points.set(both[1], amountOf(both[2]))
      continue
    }
    const label = row.cells[Math.min(question, row.cells.length - 1)]?.text.trim() ?? ''
    const worth = row.cells.find(
      (cell, i) => i > 0 && Math.abs(cell.x + cell.width / 2 - column.x - column.width / 2) < 40,
    )
    const amount = AMOUNT.exec(worth?.text ?? '')?.[1]
    const number = LABEL.exec(label)?.[1]
    if (!amount || (!number && !TOTAL.test(label))) return
    found.rows.add(row)
    if (number) found.points.set(number, amountOf(amount))
    else found.total = amountOf(amount)
  }
}

function readLying(head: Row, below: readonly Row[], found: PointsTable): void {
  const amounts = below.find(({ cells }) => POINTS_HEAD.test(cells[0]?.text.trim() ?? ''))
  if (!amounts) return
  for (const cell of head.cells.slice(1)) {
    const middle = cell.x + cell.width / 2
    const under = amounts.cells.slice(1).find(({ x, width }) => Math.abs(x + width / 2 - middle) < 14)
    const amount = AMOUNT.exec(under?.text ?? '')?.[1]
    const number = LABEL.exec(cell.text.trim())?.[1]
    if (!amount) continue
    if (number) found.points.set(number, amountOf(amount))
    else if (TOTAL.test(cell.text.trim())) found.total = amountOf(amount)
  }
  const end = below.indexOf(amounts) + 1
  for (const row of [head, ...below.slice(0, end)]) found.rows.add(row)
  for (const row of below.slice(end)) if (EMPTY_HEAD.test(row.cells[0]?.text.trim() ?? '')) found.rows.add(row)
}

/** Parts share what the table says of their question. */
export function usePointsTable(questions: PrintedQuestion[], table: PointsTable, shared: SharedPoints[]): void {
  for (const [number, points] of table.points) {
    const own = questions.filter((question) => String(question.mainNumber) === number)
    const [first, second] = own
    if (first && !second) first.points ??= points
    else if (first && !shared.some((one) => one.number === number))
      shared.push({ number, points, ids: own.map(({ id }) => id) })
  }
}

/** “(a) (2) How long …”. */
const LEADING_MARK = /^\s*[([](\d{1,2})[)\]]\s+(?=\S)/

/** Numbers that count up are labels themselves. */
export function withLeadingMarks(rows: readonly Row[]): Row[] {
  const found = new Map<Row, number>()
  for (const row of rows) {
    const end = row.labels.at(-1)?.end
    const mark = end === undefined ? undefined : LEADING_MARK.exec(row.text.slice(end))?.[1]
    if (mark && Number(mark) > 0 && row.marks === undefined) found.set(row, Number(mark))
  }
  const marks = [...found.values()]
  const counting = marks.filter((mark, i) => i > 0 && mark === (marks[i - 1] ?? 0) + 1).length
  if (marks.length < 3 || counting * 2 >= marks.length - 1) return [...rows]
  return rows.map((row) => {
    const worth = found.get(row)
    if (worth === undefined) return row
    const end = row.labels.at(-1)?.end ?? 0
    return { ...row, text: row.text.slice(0, end) + row.text.slice(end).replace(LEADING_MARK, ''), marks: [worth] }
  })
}

const BARE_MARK = /^(\d{1,2})$/
const BRACKETED_MARK = /^[([]\s?(\d{1,3})(?:\s*(?:marks?|points?|pts?)\.?)?\s?[)\]]$/i
const COLUMN = 0.75 // of the page's width
const ALIGNED = 14 // points
const LEAST_MARKS = 2

type CellsOfLine = Pick<Row, 'cells'> & { line: Pick<Row['line'], 'pageWidth'> }
const lastCellOf = ({ cells }: CellsOfLine): string => cells.at(-1)?.text.trim() ?? ''
const endsInMargin = ({ cells, line }: CellsOfLine): boolean => (cells.at(-1)?.x ?? 0) > line.pageWidth * COLUMN

export function withBracketedMarks<R extends CellsOfLine>(rows: readonly R[]): Set<R> {
  const found = inColumn(rows.filter((row) => endsInMargin(row) && BRACKETED_MARK.test(lastCellOf(row))))
  return new Set(found.length >= LEAST_MARKS ? found : [])
}

/** A mark alone on its row belongs to the row above. */
export function withMarginMarks(rows: readonly Row[]): Row[] {
  const labelled = rows.filter(({ labels }) => labels.length > 0)
  const bare = inColumn(
    labelled.filter((row) => endsInMargin(row) && row.cells.length > 1 && BARE_MARK.test(lastCellOf(row))),
  )
  const headed = rows.some((row) => endsInMargin(row) && POINTS_HEAD.test(lastCellOf(row)))
  const taken = withBracketedMarks(rows)
  if (bare.length >= LEAST_MARKS && (headed || (bare.length > LEAST_MARKS && bare.length * 2 >= labelled.length)))
    for (const row of bare) taken.add(row)
  const kept: Row[] = []
  for (const row of rows) {
    const worth = taken.has(row) ? Number(/\d+/.exec(lastCellOf(row))?.[0]) : 0
    const above = kept.at(-1)
    if (worth < 1) kept.push(row)
    else if (row.cells.length > 1) {
      const text = row.text.slice(0, row.text.lastIndexOf(lastCellOf(row))).trimEnd()
      kept.push({ ...row, cells: row.cells.slice(0, -1), text, marks: [...(row.marks ?? []), worth] })
    } else if (above) kept[kept.length - 1] = { ...above, marks: [...(above.marks ?? []), worth] }
  }
  return kept
}

function inColumn<R extends CellsOfLine>(rows: readonly R[]): R[] {
  const left = (row: R) => row.cells.at(-1)?.x ?? 0
  const right = (row: R) => left(row) + (row.cells.at(-1)?.width ?? 0)
  const [x, end] = [median(rows.map(left)), median(rows.map(right))]
  return rows.filter((row) => Math.abs(left(row) - x) < ALIGNED || Math.abs(right(row) - end) < ALIGNED)
}
