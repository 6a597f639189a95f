import type { Box, Paper } from '@assay/shared/papers.ts'
import type { PlacedLine } from '../../layout/paper-lines.ts'

/** A cell of a table: its words line by line, top to bottom. */
export interface TableCell {
  lines: { text: string; y: number; right: number }[]
}

/** A row of a table as its rules part it, however high each cell is. */
export interface TableBand {
  page: number
  top: number
  /** What its columns of labels say, as one: “2 (b) (ii)”. */
  label: string
  /** The columns right of the labels. */
  cells: TableCell[]
}

/** A ruled table with labels in its first columns. */
export interface RuledTable {
  bands: TableBand[]
  lines: Set<PlacedLine>
}

interface Grid {
  page: number
  top: number
  bottom: number
  /** The columns' sides, left to right. */
  sides: number[]
  edges: Box[]
}

const SAME = 3
/** Sides of one table follow each other within so many points. */
const APART = 14
const LEAST_BANDS = 2
const LABEL =
  /^\W*(?:(?:q(?:uestion)?\.?\s*)?\d{0,3}[.)]?\s*(?:[.(]?\s?(?:[a-h]|[ivx]{1,4}|\d)\s?\)?\.?\s*){0,3}|q(?:uestion)?s?|no\.?|number|part|#)\W*$/i
const PART = /^\W*(?:[a-h]|[ivx]{1,4})\W*$/i

/** The ruled tables of a paper whose rows are told by labels. `lines`: the paper's. */
export function readRuledTables(paper: Paper, lines: readonly PlacedLine[]): RuledTable[] {
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

/** What a line has in each column; spans in several styles are one. */
function wordsOf(line: PlacedLine, sides: readonly number[]): Word[] {
  const words: Word[] = []
  for (const { text, x, width } of line.cells ?? [{ text: line.text, x: line.box.x, width: line.box.width }]) {
    const column = columnAt(sides, x + Math.min(width / 2, 3))
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
  [label, ...cells.map((cell) => cell.lines.map(({ text }) => text).join(' '))]
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

/** The heights at which a column is divided. */
function separatorsOf(grid: Grid, column: number): number[] {
  const [from = 0, to = 0] = [grid.sides[column], grid.sides[column + 1]]
  const middle = (from + to) / 2
  const across = grid.edges.filter(({ x, width }) => x <= middle && x + width >= middle).map(({ y }) => y)
  return distinct([grid.top, ...across, grid.bottom])
}

const columnAt = (sides: readonly number[], x: number): number => sides.findLastIndex((side) => side <= x)

const isWithin = ({ x, y, width, height }: Box, grid: Grid): boolean => {
  const middle = y + height / 2
  return middle > grid.top && middle < grid.bottom && x + width > (grid.sides[0] ?? 0) && x < (grid.sides.at(-1) ?? 0)
}

function distinct(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of values.toSorted((a, b) => a - b)) if (value - (found.at(-1) ?? -99) > SAME) found.push(value)
  return found
}
