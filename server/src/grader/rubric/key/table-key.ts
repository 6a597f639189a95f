import type { Paper } from '@assay/shared/papers.ts'
import type { PlacedLine } from '../../layout/paper-lines.ts'
import { type Row, toRow } from '../../layout/rows.ts'
import { type KeyLine, type Role, readMarkCell, roleOf } from './key-lines.ts'
import { type RuledTable, readRuledTables, type TableBand, type TableCell } from './table-bands.ts'

/** A row of a key; one of a ruled table brings its lines divided already. */
export type KeyRow = Row & { keyLines?: KeyLine[] }

/** A mark stands beside its line, in points. */
const BESIDE = 7

/** The rows of a key's ruled tables, and the lines they were made of. */
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

/** The roles a head names; null for a band that is none. */
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
