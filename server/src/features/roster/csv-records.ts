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

/** The most lines a cell with line breaks may make of one row. */
const MOST_LINES = 50

const BROKEN = 'A quotation mark is opened and not closed, or stands where none belongs.'

/** One record is read at a time, so that line ends are letters like others: a delimiter that no line can hold. */
const options = { record_delimiter: '\r\r', relax_column_count: true, trim: true }

/** The cells of one whole record; null where it is not whole, or not right. */
function cellsOf(text: string, delimiter: string): string[] | null {
  // Most lines have no quotes, and then there is nothing to interpret.
  if (!text.includes('"')) return text.split(delimiter)
  try {
    const records: string[][] = parse(text, { ...options, delimiter })
    return records.length === 1 ? (records[0] ?? null) : null
  } catch {
    return null
  }
}

/**
 * The records of a CSV text, each read for itself: a quote too many costs its own row and none of those after it, where
 * a parser of the whole would read on to the next quote and lose everything between.
 */
export function* csvRecords(text: string, delimiter: string, shape?: RowShape): Generator<CsvRecord> {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  let row = 0
  for (let i = 0; i < lines.length; ) {
    row++
    const found = recordAt(lines, i, delimiter, shape)
    yield found ? { row, cells: found.cells } : { row, broken: BROKEN }
    i += found?.lines ?? 1
  }
}

const fits = (cells: string[], shape: RowShape | undefined) =>
  !shape || (shape.isRow(cells) && !shape.oneLine.some((column) => cells[column]?.includes('\n')))

function recordAt(lines: string[], start: number, delimiter: string, shape: RowShape | undefined) {
  let text = lines[start] ?? ''
  const first = cellsOf(text, delimiter)
  if (first) return { cells: first, lines: 1 }
  for (const [i, line] of lines.slice(start + 1, start + MOST_LINES).entries()) {
    text += `\n${line}`
    const alone = cellsOf(line, delimiter)
    if (alone && shape?.isRow(alone)) return null
    const cells = line.includes('"') ? cellsOf(text, delimiter) : null
    if (cells && fits(cells, shape)) return { cells, lines: i + 2 }
  }
  return null
}
