import type { Box, Cell } from '@assay/shared/papers.ts'
import type { AnswerRegion, Level } from '@assay/shared/rubrics.ts'
import { rounded } from '../../layout/answer-regions.ts'
import type { PlacedLine } from '../../layout/paper-lines.ts'

export interface KeyLine {
  text: string
  /** Right edge of the text in points, by which wrapped lines are told. */
  right: number
  points?: number
  /** `M1`, `A1`, `B1`: method, accuracy, independent. */
  code?: string
  guidance?: string
  /** OCR's, 0..1, where it is not sure; else absent. */
  confidence?: number
  place?: { page: number; box: Box }
}

/** Below the first OCR is often wrong; below the second it cannot read the hand. */
const [CLEAR, LEGIBLE] = [0.85, 0.65]

export const isHandwriting = ({ source, confidence }: Pick<PlacedLine, 'source' | 'confidence'>): boolean =>
  source === 'ocr' && confidence < LEGIBLE

export const readFrom = (line: KeyLine, { source, confidence, page, box }: PlacedLine): KeyLine => ({
  ...line,
  place: { page, box },
  ...(source === 'ocr' && confidence < CLEAR ? { confidence } : {}),
})

const MARGIN = 3 // points

export function regionsOf(lines: readonly KeyLine[]): AnswerRegion[] {
  const placed = lines.flatMap(({ place }) => place ?? [])
  const pages = Map.groupBy(placed, ({ page }) => page)
  return [...pages].map(([page, places]) => {
    const boxes = places.map(({ box }) => box)
    const [x, y] = [Math.min(...boxes.map((box) => box.x)) - MARGIN, Math.min(...boxes.map((box) => box.y)) - MARGIN]
    const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN
    const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN
    return { page, box: rounded({ x, y, width: right - x, height: bottom - y }) }
  })
}

/** Better no answer than letters without sense. */
export function isIllegible(lines: readonly KeyLine[]): boolean {
  const lettersOf = (own: readonly KeyLine[]) => own.reduce((sum, { text }) => sum + text.length, 0)
  const illegible = lines.filter(({ confidence = 1 }) => confidence < LEGIBLE)
  return illegible.length > 0 && lettersOf(illegible) * 2 > lettersOf(lines)
}

const CODE = /^\(?(?:d?M|A|B|C|E|dep)\s?(\d)(?:\s?(?:ft|dep|cao|oe|\*))?\)?$/i
const PLAIN = /^[([]?\s?(\d{1,2}(?:\.5)?|½|✓+)\s?(?:marks?|pts?|points?)?\s?[)\]]?$/i

/** “1”, “[2]”, “M1”. */
export function readMarkCell(text: string): { points: number; code?: string } | null {
  const plain = text.trim()
  const code = CODE.exec(plain)
  const letters = plain.replace(/[()\s]/g, '')
  if (code) return { points: Number(code[1]), code: letters.slice(0, 2).toUpperCase() }
  const points = PLAIN.exec(plain)?.[1]
  if (!points) return null
  return { points: points === '½' ? 0.5 : points.startsWith('✓') ? points.length : Number(points) }
}

type MarksColumn = { from: number; to: number } | null

const LEAST_MARKS = 3
const SAME_COLUMN = 14 // points
/** Share of numbers that are one more than the one before, as labels are. */
const COUNTING = 0.8

/** A column with more rows going on to its right is of some other table. */
const MOST_BEYOND = 2

export function findMarksColumn(rows: readonly { cells: Cell[]; margin: number }[]): MarksColumn {
  const found = rows.flatMap(({ cells, margin }) =>
    cells.flatMap((cell, i) => {
      const mark = i > 0 && cell.x > margin + 80 ? readMarkCell(cell.text) : null
      return mark ? [{ ...mark, cell, before: cells.slice(0, i) }] : []
    }),
  )
  let best: typeof found = []
  for (const { cell } of found) {
    const column = found.filter((one) => Math.abs(one.cell.x - cell.x) <= SAME_COLUMN)
    if (column.length > best.length) best = column
  }
  if (best.length < LEAST_MARKS) return null
  const from = Math.min(...best.map(({ cell }) => cell.x)) - 4
  const to = Math.max(...best.map(({ cell: { x, width } }) => x + width)) + 4
  // “(1)”, “(2)”, “(3)” number equations.
  const counting = best.filter(({ points }, i) => i > 0 && points === (best[i - 1]?.points ?? 0) + 1).length
  // A matrix or a chart's axis has numbers, too: answers have words, or stand under numbers that count up.
  const numbers = best.map(({ before: [first, second] }) =>
    second ? Number.parseInt(first?.text ?? '', 10) : Number.NaN,
  )
  const rising = numbers.filter((number, i) => number > (numbers[i - 1] ?? 0)).length
  const isListed = rising >= COUNTING * best.length
  const answers = best.filter(
    ({ before, code }) => code || isListed || before.some(({ text }) => /\p{L}{2}/u.test(text)),
  )
  const beyond = rows.filter(({ cells }) => (cells.at(-1)?.x ?? 0) > to && cells.length > 1)
  return (best.length > LEAST_MARKS && counting >= COUNTING * (best.length - 1)) ||
    answers.length * 2 < best.length ||
    beyond.length > MOST_BEYOND * best.length
    ? null
    : { from, to }
}

const EQUATION_NUMBER = /\s*\((\d{1,2})\)\s*$/
const LEAST_EQUATIONS = 4

/** In “E = mc² (3)” the number is no mark. */
export function withoutEquationNumbers(lines: readonly PlacedLine[]): PlacedLine[] {
  const numbers = new Map(
    lines.flatMap((line): [PlacedLine, number][] => {
      const number = Number(EQUATION_NUMBER.exec(line.text)?.[1])
      const isFarRight = line.box.x + line.box.width > 0.7 * line.pageWidth
      return number > 0 && isFarRight && /[=≈<>≤≥∼⇒]/.test(line.text) ? [[line, number]] : []
    }),
  )
  const counted = [...numbers.values()]
  const next = counted.filter((number, i) => i > 0 && number === (counted[i - 1] ?? 0) + 1).length
  if (counted.length < LEAST_EQUATIONS || next < COUNTING * (counted.length - 1)) return [...lines]
  return lines.map((line) => {
    if (!numbers.has(line)) return line
    const cells = line.cells?.flatMap((cell, i, all) => {
      const text = i === all.length - 1 ? cell.text.replace(EQUATION_NUMBER, '') : cell.text
      return text === '' ? [] : [{ ...cell, text }]
    })
    return { ...line, text: line.text.replace(EQUATION_NUMBER, ''), ...(cells ? { cells } : {}) }
  })
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

export function toKeyLine(cells: readonly Cell[], marks: MarksColumn): KeyLine {
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

/** Null without columns of answers and of marks. */
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

function columnOf(cell: Cell, head: HeaderColumns): Role {
  const distance = ({ x, width }: HeaderColumns[number]) => Math.max(x - cell.x - cell.width, cell.x - x - width)
  return head.toSorted((a, b) => distance(a) - distance(b))[0]?.role ?? 'answer'
}

export interface MarkingPoint {
  text: string
  expected: string
  alternatives: string[]
  points: number
  /** Absent where the key has no codes. */
  code?: string
}

export interface KeyAnswer {
  expected: string
  alternatives: string[]
  /** Empty where the key just gives the answer. */
  criteria: MarkingPoint[]
  points: number | null
  levels: Level[]
  /** For the marker: what to ignore, what not to accept. Students never see it. */
  notes: string[]
}
