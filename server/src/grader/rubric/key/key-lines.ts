import type { Cell } from '@assay/shared/papers.ts'

/** A line of a key as it belongs to one question: what is to be answered, and beside it the marks and the guidance. */
export interface KeyLine {
  text: string
  /** Right edge of the text, to tell a wrapped line from the next point; in points. */
  right: number
  /** Points in the marks column, or of a code. */
  points?: number
  /** `M1`, `A1`, `B1`: method, accuracy, independent. */
  code?: string
  guidance?: string
  /** Read from a picture, and hard to read. */
  unclear?: true
}

/** OCR that is less sure of a line is often wrong. */
const CLEAR = 0.85

export const isUnclear = ({ source, confidence }: { source: string; confidence: number }): boolean =>
  source === 'ocr' && confidence < CLEAR

const CODE = /^\(?(?:d?M|A|B|C|E|dep)\s?(\d)(?:\s?(?:ft|dep|cao|oe|\*))?\)?$/i
const PLAIN = /^[([]?\s?(\d{1,2}(?:\.5)?|½|✓+)\s?(?:marks?|pts?|points?)?\s?[)\]]?$/i

/** “1”, “[2]”, “M1”: what a cell of a column of marks says; null for any other text. */
export function readMarkCell(text: string): { points: number; code?: string } | null {
  const plain = text.trim()
  const code = CODE.exec(plain)
  const letters = plain.replace(/[()\s]/g, '')
  if (code) return { points: Number(code[1]), code: letters.slice(0, 2).toUpperCase() }
  const points = PLAIN.exec(plain)?.[1]
  if (!points) return null
  return { points: points === '½' ? 0.5 : points.startsWith('✓') ? points.length : Number(points) }
}

export interface KeyColumns {
  marks: { from: number; to: number } | null
}

/** A column has at least so many marks, each this near to the others; in points. */
const LEAST_MARKS = 3
const SAME_COLUMN = 14

/** Finds the column of marks of a table, by its cells: numbers or codes below each other, right of the answers. */
export function findMarksColumn(rows: readonly { cells: Cell[]; margin: number }[]): KeyColumns['marks'] {
  const found: Cell[] = []
  for (const { cells, margin } of rows)
    for (const cell of cells.slice(1)) if (cell.x > margin + 80 && readMarkCell(cell.text)) found.push(cell)
  let best: Cell[] = []
  for (const { x } of found) {
    const column = found.filter((cell) => Math.abs(cell.x - x) <= SAME_COLUMN)
    if (column.length > best.length) best = column
  }
  if (best.length < LEAST_MARKS) return null
  return { from: Math.min(...best.map(({ x }) => x)) - 4, to: Math.max(...best.map(({ x, width }) => x + width)) + 4 }
}

function keyLineOf(answer: readonly Cell[], marks: readonly Cell[], guidance: readonly Cell[]): KeyLine {
  const join = (parts: readonly Cell[]) => parts.map(({ text }) => text).join(' ')
  return {
    text: join(answer),
    right: Math.max(0, ...answer.map(({ x, width }) => x + width)),
    ...marks.map(({ text }) => readMarkCell(text)).find((mark) => mark !== null),
    ...(guidance.length > 0 ? { guidance: join(guidance) } : {}),
  }
}

/** Divides a row of a key into answer, marks and guidance. */
export function toKeyLine(cells: readonly Cell[], marks: KeyColumns['marks']): KeyLine {
  if (!marks) return keyLineOf(cells, [], [])
  const answer = cells.filter(({ x }) => x < marks.from)
  const mark = cells.find((cell) => cell.x >= marks.from && cell.x <= marks.to && readMarkCell(cell.text))
  const beyond = cells.filter((cell) => cell.x >= marks.from && cell !== mark)
  return keyLineOf(answer, mark ? [mark] : [], beyond)
}

export type Role = 'question' | 'answer' | 'marks' | 'working' | 'guidance'

export type HeaderColumns = { role: Role; x: number; width: number }[]

const ROLES: [RegExp, Role][] = [
  [/^\W*(?:q|questions?|no\.?|number|part|#)\W*$/i, 'question'],
  [/^\W*(?:total\s+)?(?:marks?|points?|pts\.?|worth)\W*$/i, 'marks'],
  [
    /^\W*(?:(?:expected|correct|model|sample|acceptable)\s+)?(?:answers?|solutions?|responses?|answering points|marking points?|scheme)\W*$/i,
    'answer',
  ],
  [/^\W*(?:working|workings|method|steps?)\W*$/i, 'working'],
  [/\b(?:guidance|notes?|comments?|additional|extra|accept|reject|allow|ignore|ao|spec)\b/i, 'guidance'],
]

export const roleOf = (text: string): Role | null => ROLES.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? null

/** The columns of a table's head: those of answers and of marks at least; null for any other row. */
export function readHeader(cells: readonly Cell[]): HeaderColumns | null {
  const columns = cells.flatMap(({ text, x, width }) => {
    const role = roleOf(text)
    return role ? [{ role, x, width }] : []
  })
  const has = (role: Role) => columns.some((column) => column.role === role)
  return columns.length === cells.length && has('answer') && has('marks') ? columns : null
}

export function toKeyLineByHeader(cells: readonly Cell[], head: HeaderColumns): KeyLine {
  const of = (role: Role) => cells.filter((cell) => columnOf(cell, head) === role)
  const marks = of('marks')
  const guidance = [...of('working'), ...of('guidance'), ...marks.filter(({ text }) => !readMarkCell(text))]
  return keyLineOf(of('answer'), marks, guidance)
}

/** The column a cell stands under, or is nearest to. */
function columnOf(cell: Cell, head: HeaderColumns): Role {
  const distance = ({ x, width }: HeaderColumns[number]) => Math.max(x - cell.x - cell.width, cell.x - x - width)
  return head.toSorted((a, b) => distance(a) - distance(b))[0]?.role ?? 'answer'
}
