import { RosterEntry, type RosterResult } from '@assay/shared/roster.ts'
import { emailProblem } from '@assay/shared/rules/email.ts'
import { MAX_ROSTER_ROWS } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { RosterRow } from '../../records/courses/roster-import.model.ts'
import { type RowShape, readCsvRecords } from './csv-records.ts'
import { decodeText } from './decode-text.ts'

export interface ParsedRoster {
  rows: RosterRow[]
  /** The rows nothing can be done with, each with its reason. */
  rejected: RosterResult[]
  notes: string[]
}

type Column = keyof RosterEntry | 'student_number' | 'given_name' | 'family_name'

/** What sheets call each column, written small and with underscores. */
const NAMES_BY_COLUMN: Record<Column, string> = {
  email: 'email e_mail email_address e_mail_address mail',
  external_user_id: 'external_user_id external_id',
  sis_user_id: 'sis_user_id sis_id',
  // What a school calls its own number; it stands in for a SIS user ID.
  student_number:
    'student_id student_number student_no student_nr studentid id_number matriculation_number matriculation_no matr_nr matrikelnummer registration_number roll_number roll_no candidate_number',
  full_name: 'full_name name student_name student',
  given_name: 'given_name given_names first_name first_names firstname forename vorname',
  family_name: 'family_name last_name lastname surname nachname',
}

const COLUMN_NAMES = new Map(
  (Object.keys(NAMES_BY_COLUMN) as Column[]).flatMap((column) =>
    NAMES_BY_COLUMN[column].split(' ').map((name) => [name, column] as const),
  ),
)

const DELIMITERS = [',', ';', '\t', '|']

const columnOf = (cell: string) =>
  COLUMN_NAMES.get(
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s_.-]+/g, '_')
      .replace(/^_|_$/g, ''),
  )

/** Excel's own hint at the delimiter, above the header. */
const SEPARATOR_HINT = /^sep=(.)\s*(?:\r\n|\n|\r)/i

/** As many as a spreadsheet has, blank ones included, and how many may precede the header. */
const MAX_SHEET_ROWS = 1_048_576
const MAX_ROWS_ABOVE_HEADER = 100

interface Header {
  delimiter: string
  columns: Map<Column, number>
  /** How many columns have a name. */
  width: number
}

/**
 * Reads a roster, in pieces between which others have their turn. Columns come in any order and case; only `email` is needed, and columns of other names are left alone.
 * @throws {AppError} `files_refused` where the file as a whole is no roster
 */
export async function parseRoster(bytes: Buffer): Promise<ParsedRoster> {
  const { text, note } = decodeText(bytes)
  const hint = SEPARATOR_HINT.exec(text)
  const body = hint ? text.slice(hint[0].length) : text
  const header = readHeader(body, hint?.[1])
  const parsed: ParsedRoster = { rows: [], rejected: [], notes: note ? [note] : [] }
  const firstRow = new Map<string, number>()
  const shift = hint ? 1 : 0
  let headerSeen = false
  const addresses = header.columns.get('email') ?? -1
  const shape: RowShape = {
    oneLine: [...header.columns.values()],
    isRow: (cells) => emailProblem(cells[addresses]) === null,
  }
  const turn = createYielder()
  for (const record of readCsvRecords(body, header.delimiter, shape)) {
    await turn()
    if (record.row > MAX_SHEET_ROWS) throw tooManyRows()
    const blank = 'cells' in record && record.cells.every((cell) => cell.trim() === '')
    if (blank) continue
    if (!headerSeen) {
      headerSeen = true
      continue
    }
    const row = record.row + shift
    const read = 'broken' in record ? { problem: record.broken, email: '' } : readRow(record.cells, header)
    if ('entry' in read) {
      const key = read.entry.email.toLowerCase()
      const earlier = firstRow.get(key)
      if (earlier === undefined) {
        firstRow.set(key, row)
        parsed.rows.push({ row, entry: read.entry })
        continue
      }
      parsed.rejected.push(rejectedRow(row, read.entry.email, `This address is already in row ${earlier}.`))
    } else parsed.rejected.push(rejectedRow(row, read.email, read.problem))
    if (parsed.rows.length + parsed.rejected.length > MAX_ROSTER_ROWS) throw tooManyRows()
  }
  if (parsed.rows.length + parsed.rejected.length > MAX_ROSTER_ROWS) throw tooManyRows()
  if (parsed.rows.length + parsed.rejected.length === 0) {
    throw new AppError('files_refused', 'The file has a header row but no students.')
  }
  return parsed
}

/** The header by whichever delimiter shows a column for the address. */
function readHeader(text: string, hinted: string | undefined): Header {
  for (const delimiter of hinted ? [hinted] : DELIMITERS) {
    for (const record of readCsvRecords(text, delimiter)) {
      if (!('cells' in record) || record.row > MAX_ROWS_ABOVE_HEADER) break
      if (record.cells.every((cell) => cell.trim() === '')) continue
      const columns = new Map<Column, number>()
      for (const [i, cell] of record.cells.entries()) {
        const column = columnOf(cell)
        if (column && !columns.has(column)) columns.set(column, i)
      }
      if (columns.has('email')) return { delimiter, columns, width: record.cells.length }
      break
    }
  }
  throw new AppError(
    'files_refused',
    'The file has no column “email”. Its first row must name the columns: email, external_user_id, sis_user_id.',
  )
}

type ParsedRow = { entry: RosterEntry } | { problem: string; email: string }

function readRow(cells: string[], { columns, width }: Header): ParsedRow {
  const cell = (column: Column) => cells[columns.get(column) ?? -1]?.trim() ?? ''
  const email = cell('email')
  if (cells.slice(width).some((extra) => extra.trim() !== '')) {
    return {
      email,
      problem: 'The row has more cells than the header. Put quotation marks around cells with commas.',
    }
  }
  const parsed = RosterEntry.safeParse({
    email,
    external_user_id: cell('external_user_id'),
    sis_user_id: cell('sis_user_id') || cell('student_number'),
    full_name: cell('full_name') || `${cell('given_name')} ${cell('family_name')}`.trim(),
  })
  if (parsed.success) return { entry: parsed.data }
  return { email, problem: parsed.error.issues.map(({ message }) => message).join('. ') }
}

function rejectedRow(row: number, email: string, message: string): RosterResult {
  // As in the file, but cut to a length that a table can show.
  return { row, email: email.slice(0, 254), success: false, message, created_user: false }
}

function tooManyRows(): AppError {
  const most = MAX_ROSTER_ROWS.toLocaleString('en')
  return new AppError('files_refused', `The file has more than ${most} students. Split it into several files.`)
}
