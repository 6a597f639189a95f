import type { RosterResult } from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { MAX_ROSTER_ROWS } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../lib/http/app-error.ts'
import { createYielder } from '../../lib/yielder.ts'
import type { RosterPerson, RosterRow } from '../../records/courses/roster-import.model.ts'
import { readCsvRecords } from './csv-records.ts'
import { type ColumnPlan, guessColumns, isCanvasIdColumn, planOf, readRow, usedColumns } from './roster-columns.ts'
import { isBlank, openRosterTable, type RosterTable, rowShape } from './roster-table.ts'

export interface ParsedRoster {
  rows: RosterRow[]
  rejected: RosterResult[]
  notes: string[]
}

/** As many as a spreadsheet has, blank ones included. */
const MAX_SHEET_ROWS = 1_048_576
const NAMED_ROWS = 5

/** Without `meanings` the headings must name an address. @throws {AppError} `files_refused` where it is no roster */
export async function parseRoster(bytes: Buffer, meanings?: readonly ColumnMeaning[]): Promise<ParsedRoster> {
  const table = openRosterTable(bytes)
  const columns = meanings ?? guessColumns(table.header, table.samples)
  if (!meanings && !columns.includes('email')) {
    throw new AppError(
      'files_refused',
      'The file has no column “email”. Its first row must name the columns: email, external_user_id, sis_user_id.',
    )
  }
  const parsed = await readRosterRows(table, planOf(columns, { addressed: !meanings }))
  if (parsed.rows.length + parsed.rejected.length === 0)
    throw new AppError('files_refused', 'The file has a header row but no students.')
  return parsed
}

export async function readRosterRows(table: RosterTable, plan: ColumnPlan): Promise<ParsedRoster> {
  const rows: RosterRow[] = []
  const rejected: RosterResult[] = []
  const left: LeftOut = { named: [], labelled: 0, empty: 0 }
  const findRepeat = createRepeatFinder()
  const shape = rowShape(table, { email: plan.columns.get('email')?.[0] ?? -1, used: usedColumns(plan) })
  const isOfCanvas = (meaning: ColumnMeaning) =>
    isCanvasIdColumn(table.header, table.samples, plan.columns.get(meaning)?.[0] ?? -1)
  // A list without the school's numbers has Canvas's in their place.
  const unnumbered = isOfCanvas('student_number') ? 'sis_user_id' : null
  const canvasId = isOfCanvas('lms_user_id') ? 'external_user_id' : unnumbered
  const turn = createYielder()
  let headerSeen = false
  for (const record of readCsvRecords(table.text, table.delimiter, shape)) {
    await turn()
    if (record.row > MAX_SHEET_ROWS) throw tooManyRows()
    if ('cells' in record && isBlank(record.cells)) continue
    if (!headerSeen) {
      headerSeen = true
      continue
    }
    const row = record.row + table.shift
    const read =
      'broken' in record ? { problem: record.broken, email: '' } : readRow(record.cells, plan, table.header.length)
    if ('notStudent' in read) leaveOut(left, row, read.notStudent)
    else if ('problem' in read) rejected.push(rejectedRow(row, read.email, read.problem))
    else {
      const id = canvasId && read.entry[canvasId]
      if (id && /^\d+$/.test(id)) read.entry.canvas_user_id = id
      const repeat = findRepeat(read.entry, row)
      if (repeat) rejected.push(rejectedRow(row, read.entry.email ?? '', repeat))
      else rows.push({ row, entry: read.entry })
    }
    if (rows.length + rejected.length > MAX_ROSTER_ROWS) throw tooManyRows()
  }
  return { rows, rejected, notes: [...table.notes, ...notesAbout(left)] }
}

/** Two addresses with one number are two people; a number alone is whoever has it. */
function createRepeatFinder() {
  const firstRow = new Map<string, number>()
  return ({ email, sis_user_id, external_user_id, full_name }: RosterPerson, row: number): string | null => {
    const number = sis_user_id ?? external_user_id
    const numberWith = (what: 'address' | 'none') => `number with ${what} ${number}`
    const [key, what] = email
      ? [`email ${email.toLowerCase()}`, 'address']
      : number
        ? [numberWith('none'), 'number']
        : [`name ${full_name?.toLowerCase()}`, 'name']
    const other = number ? firstRow.get(numberWith(email ? 'none' : 'address')) : undefined
    if (other !== undefined) return `This number is already in row ${other}.`
    const earlier = firstRow.get(key)
    if (earlier === undefined) {
      firstRow.set(key, row)
      const withAddress = numberWith('address')
      if (email && number && !firstRow.has(withAddress)) firstRow.set(withAddress, row)
      return null
    }
    const more = what === 'name' ? ' Tell two students of one name apart by a student number or an email address.' : ''
    return `This ${what} is already in row ${earlier}.${more}`
  }
}

interface LeftOut {
  named: string[]
  labelled: number
  empty: number
}

function leaveOut(left: LeftOut, row: number, label: string | null): void {
  if (label === null) left.empty++
  else if (++left.labelled <= NAMED_ROWS) left.named.push(`“${label.slice(0, 60)}” in row ${row}`)
}

function notesAbout({ named, labelled, empty }: LeftOut): string[] {
  if (labelled + empty === 0) return []
  const list = [
    ...named,
    ...(labelled > named.length ? [`${labelled - named.length} more`] : []),
    ...(empty > 0 ? [`${empty} ${empty === 1 ? 'row' : 'rows'} with nothing in the columns used`] : []),
  ]
  return [`Left out, as they are no students: ${list.join(', ')}.`]
}

function rejectedRow(row: number, email: string, message: string): RosterResult {
  // Cut to a length that a table can show.
  return { row, email: email.slice(0, 254), success: false, message, created_user: false }
}

function tooManyRows(): AppError {
  const most = MAX_ROSTER_ROWS.toLocaleString('en')
  return new AppError('files_refused', `The file has more than ${most} students. Split it into several files.`)
}
