import { emailProblem } from '@assay/shared/rules/email.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { type RowShape, readCsvRecords } from './csv-records.ts'
import { countKnownHeadings } from './roster-columns.ts'

const DELIMITERS = [',', ';', '\t', '|']

const SEPARATOR_HINT = /^sep=(.)\s*(?:\r\n|\n|\r)/i

const MAX_ROWS_ABOVE_HEADER = 100
/** Where the header is looked for if the first row is none. */
const MAX_TITLE_ROWS = 20
const HEADINGS_OF_HEADER = 2
const SAMPLE_ROWS = 60

export interface RosterTable {
  text: string
  delimiter: string
  /** Rows above this text, which begins with the header. */
  shift: number
  header: string[]
  samples: string[][]
  notes: string[]
}

export const isBlank = (cells: string[]) => cells.every((cell) => cell.trim() === '')

/** @throws {AppError} `files_refused` where the file is no text or has no header */
export function openRosterTable(bytes: Buffer): RosterTable {
  const { text, note } = decodeText(bytes)
  const hint = SEPARATOR_HINT.exec(text)
  const body = hint ? text.slice(hint[0].length) : text
  const options = hint?.[1] ? [hint[1]] : DELIMITERS
  const tables = options.flatMap((delimiter) => {
    const rows = readFirstRows(body, delimiter)
    const at = findHeader(rows)
    const [header, ...below] = rows.slice(at)
    if (!header) return []
    const samples = below.map(({ cells }) => cells)
    return [{ delimiter, header, samples, known: countKnownHeadings(header.cells), titled: at > 0 }]
  })
  const [best] = tables.sort((a, b) => b.known - a.known || b.header.cells.length - a.header.cells.length)
  if (!best) throw new AppError('files_refused', 'The file has no header row that names its columns.')
  const { delimiter, header, samples, titled } = best
  const shift = (hint ? 1 : 0) + header.row - 1
  const notes = [
    ...(note ? [note] : []),
    ...(titled ? [`Row ${shift + 1} names the columns, so the rows above it were left out.`] : []),
  ]
  return { text: body.slice(header.start), delimiter, shift, header: header.cells, samples, notes }
}

/** The first row, unless only one below it has known headings. */
function findHeader(rows: Row[]): number {
  const known = rows.slice(0, MAX_TITLE_ROWS).map(({ cells }) => countKnownHeadings(cells))
  if (known[0] !== 0) return 0
  const several = known.findIndex((count) => count >= HEADINGS_OF_HEADER)
  return Math.max(0, several)
}

interface Row {
  row: number
  start: number
  cells: string[]
}

function readFirstRows(text: string, delimiter: string): Row[] {
  const rows: Row[] = []
  for (const record of readCsvRecords(text, delimiter)) {
    if (record.row > MAX_ROWS_ABOVE_HEADER + SAMPLE_ROWS || rows.length > SAMPLE_ROWS) break
    if (rows.length === 0 && (!('cells' in record) || record.row > MAX_ROWS_ABOVE_HEADER)) break
    if ('cells' in record && !isBlank(record.cells)) rows.push(record)
  }
  return rows
}

/** A quote that was never closed swallows no other row. */
export function rowShape({ header }: RosterTable, columns: { email: number; used: number[] }): RowShape {
  return {
    oneLine: columns.used,
    isRow: (cells) =>
      columns.email >= 0
        ? emailProblem(cells[columns.email]) === null
        : cells.length === header.length && columns.used.some((column) => cells[column]?.trim()),
  }
}

const SAMPLE_BYTES = 4096

/** UTF-8, UTF-16 (Excel's “Unicode text”), else Western European. @throws {AppError} `files_refused` for no text */
function decodeText(bytes: Buffer): { text: string; note: string | null } {
  const utf16 = detectUtf16(bytes)
  if (utf16) return { text: stripBom(new TextDecoder(utf16).decode(bytes)), note: null }
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) throw notTextError()
  try {
    return { text: stripBom(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), note: null }
  } catch {
    // Control characters other than tabs and line ends do not occur in text.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being looked for
    if (/[\u0001-\u0008\u000e-\u001f]/.test(bytes.subarray(0, SAMPLE_BYTES).toString('latin1'))) throw notTextError()
    return {
      text: new TextDecoder('windows-1252').decode(bytes),
      note: 'The file is not UTF-8, so it was read as Western European text. Check names with accents.',
    }
  }
}

function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // E-mail addresses are ASCII, so every other byte is zero.
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let [even, odd] = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) i % 2 === 0 ? even++ : odd++
  const most = sample.length * 0.3
  if (odd > most && even < odd / 10) return 'utf-16le'
  return even > most && odd < even / 10 ? 'utf-16be' : null
}

const stripBom = (text: string) => text.replace(/^\ufeff/, '')

function notTextError(): AppError {
  return new AppError(
    'files_refused',
    'This is not a CSV file. In your spreadsheet choose “Save as”, then CSV, and upload that file.',
  )
}
