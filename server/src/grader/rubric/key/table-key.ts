import type { Box, Paper } from '@assay/shared/papers.ts'
import { cellsOf, type PlacedLine, type Row, toRow } from '../../layout/paper-lines.ts'
import { type KeyLine, type Role, readMarkCell, roleOf } from './key-lines.ts'

/** A row of a ruled table brings its lines divided already. */
export type KeyRow = Row & { keyLines?: KeyLine[] }

const BESIDE = 7 // points

export function readTableKey(key: Paper, lines: readonly PlacedLine[]): { rows: KeyRow[]; lines: Set<PlacedLine> }[] {
  const tables = readRuledTables(key, lines)
  return tables.map((table, i) => {
    const roles = rolesOf(table, tables[i - 1])
    const [from] = table.lines
    const rows = table.bands.flatMap((band) => (roleOfHead(band) ? [] : [toKeyRow(band, roles, from)]))
    return { rows, lines: table.lines }
  })
}

const textOf = ({ lines }: TableCell): string => lines.map(({ text }) => text).join(' ')

function roleOfHead({ cells }: TableBand): (Role | null)[] | null {
  const roles = cells.map((cell) => roleOf(textOf(cell)))
  return roles.includes('answer') || (roles.includes('marks') && roles.includes('guidance')) ? roles : null
}

function rolesOf(table: RuledTable, before: RuledTable | undefined): Role[] {
  const columns = table.bands[0]?.cells.length ?? 0
  const heads = [...table.bands, ...(before?.bands[0]?.cells.length === columns ? before.bands : [])]
  const head = heads.map(roleOfHead).find((roles) => roles !== null)
  if (head) return head.map((role) => role ?? 'answer')
  const share = (column: number, test: (text: string) => boolean) => {
    const filled = table.bands.flatMap(({ cells }) => (cells[column]?.lines ?? []).map(({ text }) => text))
    return filled.length === 0 ? 0 : filled.filter(test).length / filled.length
  }
  const marks = Array.from({ length: columns }, (_, i) => i).findLast(
    (i) => share(i, (text) => readMarkCell(text) !== null) > 0.7,
  )
  const marked = columns > 1 ? marks : undefined
  return Array.from({ length: columns }, (_, i): Role => {
    if (i === marked) return 'marks'
    return marked !== undefined && i > marked && marked > 0 ? 'guidance' : 'answer'
  })
}

function toKeyRow(band: TableBand, roles: readonly Role[], from: PlacedLine | undefined): KeyRow {
  const of = (role: Role) => band.cells.flatMap((cell, i) => (roles[i] === role ? cell.lines : []))
  const working = of('working')
  const answers = of('answer').length > 0 ? of('answer') : working
  const guidance = [...(answers === working ? [] : working), ...of('guidance')].map(({ text }) => text)
  const marks = of('marks').flatMap(({ text, y }) => {
    const mark = readMarkCell(text)
    if (!mark) guidance.push(text)
    return mark ? [{ ...mark, y }] : []
  })
  const lines = answers.map(({ text, right, y }): KeyLine => {
    const at = marks.findIndex((mark) => Math.abs(mark.y - y) < BESIDE)
    const [mark] = at >= 0 ? marks.splice(at, 1) : []
    return { text, right, ...(mark ? { points: mark.points, ...(mark.code ? { code: mark.code } : {}) } : {}) }
  })
  for (const { points, code } of marks) {
    const open = lines.find((line) => line.points === undefined)
    if (open) Object.assign(open, { points, ...(code ? { code } : {}) })
  }
  const [first] = lines
  if (first && guidance.length > 0) first.guidance = guidance.join(' ')
  const box = { x: 0, y: band.top, width: 0, height: 0 }
  const line: PlacedLine = {
    text: band.label,
    box,
    source: 'text',
    confidence: 1,
    page: band.page,
    pageWidth: from?.pageWidth ?? 0,
    pageHeight: from?.pageHeight ?? 0,
  }
  return { ...toRow(line), keyLines: lines }
}

interface TableCell {
  lines: { text: string; y: number; right: number }[]
}

interface TableBand {
  page: number
  top: number
  /** What its columns of labels say, as one: “2 (b) (ii)”. */
  label: string
  cells: TableCell[]
}

interface RuledTable {
  bands: TableBand[]
  lines: Set<PlacedLine>
}

interface Grid {
  page: number
  top: number
  bottom: number
  sides: number[]
  edges: Box[]
}

const SAME = 3
const APART = 14 // points
const LEAST_BANDS = 2
const LABEL =
  /^\W*(?:(?:q(?:uestion)?\.?\s*)?\d{0,3}[.)]?\s*(?:[.(]?\s?(?:[a-h]|[ivx]{1,4}|\d)\s?\)?\.?\s*){0,3}|q(?:uestion)?s?|no\.?|number|part|#)\W*$/i
const PART = /^\W*(?:[a-h]|[ivx]{1,4})\W*$/i

function readRuledTables(paper: Paper, lines: readonly PlacedLine[]): RuledTable[] {
  return paper.pages.flatMap((page) =>
    gridsOf(page.number, page.shapes ?? []).flatMap((grid) => {
      const own = lines.filter((line) => line.page === grid.page && isWithin(line.box, grid))
      const table = tableOf(grid, own)
      return table ? [table] : []
    }),
  )
}

function gridsOf(page: number, shapes: readonly { kind: string; box: Box }[]): Grid[] {
  const edges: Box[] = []
  const sides: Box[] = []
  for (const { kind, box } of shapes) {
    if (kind === 'mark') continue
    if (kind === 'frame') {
      edges.push({ ...box, height: 0 }, { ...box, y: box.y + box.height, height: 0 })
      sides.push({ ...box, width: 0 }, { ...box, x: box.x + box.width, width: 0 })
    } else if (box.width > box.height) edges.push(box)
    else sides.push(box)
  }
  const grids: { top: number; bottom: number; sides: Box[] }[] = []
  for (const side of sides.toSorted((a, b) => a.y - b.y)) {
    const last = grids.at(-1)
    if (last && side.y <= last.bottom + APART) {
      last.bottom = Math.max(last.bottom, side.y + side.height)
      last.sides.push(side)
    } else grids.push({ top: side.y, bottom: side.y + side.height, sides: [side] })
  }
  return grids.map((grid) => ({
    page,
    top: grid.top,
    bottom: grid.bottom,
    sides: distinct(grid.sides.map(({ x, width }) => x + width / 2)),
    edges: edges.filter(({ y }) => y >= grid.top - SAME && y <= grid.bottom + SAME),
  }))
}

function tableOf(grid: Grid, lines: readonly PlacedLine[]): RuledTable | null {
  const columns = grid.sides.length - 1
  if (columns < 2) return null
  const words = lines.flatMap((line) => wordsOf(line, grid.sides))
  const of = (column: number) => words.filter((word) => word.column === column)
  const isLabels = (column: number) =>
    of(column).every(({ text }) => LABEL.test(text)) && (column === 0 || of(column).some(({ text }) => PART.test(text)))
  let labels = 0
  while (labels < Math.min(2, columns - 1) && isLabels(labels)) labels += 1
  if (labels === 0 || of(labels - 1).length === 0) return null
  const bounds = separatorsOf(grid, labels - 1)
  const bands = bounds.slice(1).map((bottom, i): TableBand => {
    const top = bounds[i] ?? grid.top
    const within = words.filter(({ y }) => y > top && y < bottom)
    const cells = Array.from({ length: columns - labels }, (_, at) => ({
      lines: within.filter(({ column }) => column === at + labels).toSorted((a, b) => a.y - b.y),
    }))
    return { page: grid.page, top, label: labelOf(grid, words, labels, top, bottom), cells }
  })
  const filled = bands.filter(({ label, cells }) => label !== '' || cells.some((cell) => cell.lines.length > 0))
  if (filled.filter(({ label }) => label !== '').length < LEAST_BANDS) return null
  if (filled.some(isRowOfNumbers)) return null
  return { bands: filled, lines: new Set(lines) }
}

interface Word {
  column: number
  text: string
  y: number
  right: number
}

function wordsOf(line: PlacedLine, sides: readonly number[]): Word[] {
  const words: Word[] = []
  for (const { text, x, width } of cellsOf(line)) {
    const column = sides.findLastIndex((side) => side <= x + Math.min(width / 2, 3))
    const last = words.at(-1)
    if (last?.column === column) {
      last.text = `${last.text} ${text.trim()}`
      last.right = x + width
    } else words.push({ column, text: text.trim(), y: line.box.y + line.box.height / 2, right: x + width })
  }
  return words
}

/** “1 2 3 4”: the answers stand below the numbers, not beside them. */
const isRowOfNumbers = ({ label, cells }: TableBand): boolean =>
  cells.length >= 2 &&
  [label, ...cells.map(textOf)]
    .join(' ')
    .split(' ')
    .every((text, i, all) => /^\d+$/.test(text) && (i === 0 || Number(text) === Number(all[i - 1]) + 1))

/** A label that spans several rows belongs to the first of them. */
function labelOf(grid: Grid, words: readonly Word[], labels: number, top: number, bottom: number): string {
  const parts: string[] = []
  for (let column = 0; column < labels; column += 1) {
    const bounds = separatorsOf(grid, column)
    const at = bounds.findLastIndex((y) => y <= top + SAME)
    const [from = top, to = bottom] = [bounds[at], bounds[at + 1]]
    if (Math.abs(from - top) > SAME) continue
    parts.push(
      ...words.filter((word) => word.column === column && word.y > from && word.y < to).map(({ text }) => text),
    )
  }
  return parts.join(' ').trim()
}

function separatorsOf(grid: Grid, column: number): number[] {
  const [from = 0, to = 0] = [grid.sides[column], grid.sides[column + 1]]
  const middle = (from + to) / 2
  const across = grid.edges.filter(({ x, width }) => x <= middle && x + width >= middle).map(({ y }) => y)
  return distinct([grid.top, ...across, grid.bottom])
}

const isWithin = ({ x, y, width, height }: Box, grid: Grid): boolean => {
  const middle = y + height / 2
  return middle > grid.top && middle < grid.bottom && x + width > (grid.sides[0] ?? 0) && x < (grid.sides.at(-1) ?? 0)
}

function distinct(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of values.toSorted((a, b) => a - b)) if (value - (found.at(-1) ?? -99) > SAME) found.push(value)
  return found
}
