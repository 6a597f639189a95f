import { parse } from 'csv-parse/sync'

/** `row` counts from 1, the header included. */
type CsvRecord = { row: number; start: number } & ({ cells: string[] } | { broken: string })

/** Distinguishes a cell with line breaks from a quote that was never closed. */
export interface RowShape {
  oneLine: readonly number[]
  /** False: it may be part of another row's cell. */
  isRow: (cells: string[]) => boolean
}

/** Lines of a row with line breaks; characters of any row. */
const MAX_LINES_PER_RECORD = 50
const MAX_RECORD_LENGTH = 32 * 1024

const BROKEN_QUOTES_MESSAGE = 'A quotation mark is missing or misplaced.'
const TOO_LONG_MESSAGE = 'The row is too long.'

/** One record is parsed at a time, so the record delimiter is one that no line can contain. */
const options = { record_delimiter: '\r\r', relax_column_count: true, trim: true }

function parseCells(text: string, delimiter: string): string[] | null {
  if (!text.includes('"')) return text.split(delimiter)
  if (!hasEvenQuotes(text)) return null
  try {
    const records: string[][] = parse(text, { ...options, delimiter })
    return records.length === 1 ? (records[0] ?? null) : null
  } catch {
    return null
  }
}

function hasEvenQuotes(text: string): boolean {
  let even = true
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) even = !even
  return even
}

interface Line {
  text: string
  next: number | null
}

const LINE_END = /\r\n|\n|\r/g

/** Line by line: a file of nothing but line ends would make a list of ten million. */
function readLine(text: string, start: number): Line {
  LINE_END.lastIndex = start
  const end = LINE_END.exec(text)
  if (!end) return { text: text.slice(start), next: null }
  const next = LINE_END.lastIndex
  return { text: text.slice(start, end.index), next: next < text.length ? next : null }
}

/** Each is parsed alone at limited cost: an extra quote breaks only its own row, and a caller can yield. */
export function* readCsvRecords(text: string, delimiter: string, shape?: RowShape): Generator<CsvRecord> {
  let row = 0
  for (let at: number | null = text === '' ? null : 0; at !== null; ) {
    row++
    const line = readLine(text, at)
    const found = readRecord(text, line, delimiter, shape)
    yield { row, start: at, ...(typeof found === 'string' ? { broken: found } : { cells: found.cells }) }
    at = typeof found === 'string' ? line.next : found.next
  }
}

const matchesShape = (cells: string[], shape: RowShape | undefined) =>
  !shape || (shape.isRow(cells) && !shape.oneLine.some((column) => cells[column]?.includes('\n')))

function readRecord(text: string, first: Line, delimiter: string, shape: RowShape | undefined) {
  if (first.text.length > MAX_RECORD_LENGTH) return TOO_LONG_MESSAGE
  if (hasEvenQuotes(first.text)) {
    const cells = parseCells(first.text, delimiter)
    return cells ? { cells, next: first.next } : BROKEN_QUOTES_MESSAGE
  }
  let whole = first.text
  let { next } = first
  for (let lines = 1; lines < MAX_LINES_PER_RECORD && next !== null; lines++) {
    const line = readLine(text, next)
    whole += `\n${line.text}`
    if (whole.length > MAX_RECORD_LENGTH) return BROKEN_QUOTES_MESSAGE
    const alone = parseCells(line.text, delimiter)
    if (alone && shape?.isRow(alone)) return BROKEN_QUOTES_MESSAGE
    next = line.next
    // If the closed record is malformed now, more lines do not help.
    if (hasEvenQuotes(line.text)) continue
    const cells = parseCells(whole, delimiter)
    return cells && matchesShape(cells, shape) ? { cells, next } : BROKEN_QUOTES_MESSAGE
  }
  return BROKEN_QUOTES_MESSAGE
}
