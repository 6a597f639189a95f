import { parse } from 'csv-parse/sync'

/** A row of the sheet as its cells, or why it cannot be read. `row` counts from 1, the header included. */
export type CsvRecord = { row: number; cells: string[] } | { row: number; broken: string }

/** What is known of a sheet's rows, to tell a cell with line breaks from a quote that was never closed. */
export interface RowShape {
  /** Columns whose cells have no line breaks. */
  oneLine: readonly number[]
  /** A line that is a row in its own right, which no cell of another row would hold. */
  isRow: (cells: string[]) => boolean
}

/** The most lines a cell with line breaks may make of one row, and the most letters a row may have. */
const MAX_LINES_PER_RECORD = 50
const MAX_RECORD_LENGTH = 32 * 1024

const BROKEN_QUOTES_MESSAGE = 'A quotation mark is opened and not closed, or stands where none belongs.'
const TOO_LONG_MESSAGE = 'The row is too long to be a student’s.'

/** One record is read at a time, so that line ends are letters like others: a delimiter that no line can hold. */
const options = { record_delimiter: '\r\r', relax_column_count: true, trim: true }

/** The cells of one whole record; null where it is not whole, or not right. */
function parseCells(text: string, delimiter: string): string[] | null {
  // Most lines have no quotes, and then there is nothing to interpret.
  if (!text.includes('"')) return text.split(delimiter)
  if (!hasEvenQuotes(text)) return null
  try {
    const records: string[][] = parse(text, { ...options, delimiter })
    return records.length === 1 ? (records[0] ?? null) : null
  } catch {
    return null
  }
}

/** A record's quotes come in pairs, those that stand for a letter included. */
function hasEvenQuotes(text: string): boolean {
  let even = true
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) even = !even
  return even
}

interface Line {
  text: string
  /** Where the next begins; null after the last. */
  next: number | null
}

const LINE_END = /\r\n|\n|\r/g

/** Line by line: a list of all would be ten million long for a file of nothing but line ends. */
function readLine(text: string, start: number): Line {
  LINE_END.lastIndex = start
  const end = LINE_END.exec(text)
  if (!end) return { text: text.slice(start), next: null }
  const next = LINE_END.lastIndex
  return { text: text.slice(start, end.index), next: next < text.length ? next : null }
}

/**
 * The records of a CSV text, each read for itself: a quote too many costs its own row and none of those after it, where
 * a parser of the whole would read on to the next quote and lose everything between. What one record costs has a limit, so
 * that whoever takes them one by one can see to other work between them.
 */
export function* readCsvRecords(text: string, delimiter: string, shape?: RowShape): Generator<CsvRecord> {
  let row = 0
  for (let at: number | null = text === '' ? null : 0; at !== null; ) {
    row++
    const line = readLine(text, at)
    const found = readRecord(text, line, delimiter, shape)
    yield typeof found === 'string' ? { row, broken: found } : { row, cells: found.cells }
    at = typeof found === 'string' ? line.next : found.next
  }
}

const matchesShape = (cells: string[], shape: RowShape | undefined) =>
  !shape || (shape.isRow(cells) && !shape.oneLine.some((column) => cells[column]?.includes('\n')))

/** The cells of the record that begins with a line, and where the next begins; or why there is none. */
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
    // One with an odd number of quotes closes what was open; a record that is not right by then does not become so.
    if (hasEvenQuotes(line.text)) continue
    const cells = parseCells(whole, delimiter)
    return cells && matchesShape(cells, shape) ? { cells, next } : BROKEN_QUOTES_MESSAGE
  }
  return BROKEN_QUOTES_MESSAGE
}
