import type { RosterPreview } from '@assay/shared/roster.ts'
import { type ColumnMeaning, columnsProblem, MAX_ROSTER_COLUMNS } from '@assay/shared/roster-columns.ts'
import { visibleText } from '@assay/shared/rules/text.ts'
import { guessColumns, normalizeHeading, recognizeSystem } from './roster-columns.ts'
import { readRosterRows } from './roster-csv.ts'
import { planOf } from './roster-row.ts'
import { openRosterTable } from './roster-table.ts'

const SAMPLES = 3
const SAMPLE_LENGTH = 60
const FIRST_STUDENTS = 5
const REFUSED_SHOWN = 50

const shown = (cell: string) => visibleText(cell).trim().slice(0, SAMPLE_LENGTH)

export async function previewRoster(bytes: Buffer, given?: readonly ColumnMeaning[]): Promise<RosterPreview> {
  const table = openRosterTable(bytes)
  const { header, samples } = table
  const guessed = given ?? guessColumns(header, samples)
  const meanings = header.slice(0, MAX_ROSTER_COLUMNS).map((_, i) => guessed[i] ?? 'unused')
  const problem = columnsProblem(meanings)
  const { rows, rejected, notes } = problem
    ? { rows: [], rejected: [], notes: table.notes }
    : await readRosterRows(table, planOf(meanings))
  return {
    system: recognizeSystem(header, samples),
    columns: meanings.map((meaning, index) => {
      const heading = shown(header[index] ?? '')
      // A system's own export of its users may have passwords in it.
      const secret = /^(?:password|pin|passcode)$/.test(normalizeHeading(heading))
      const cells = secret ? [] : samples.map((row) => shown(row[index] ?? '')).filter((cell) => cell !== '')
      return { index, heading, meaning, samples: cells.slice(0, SAMPLES) }
    }),
    problem: problem ?? (rows.length + rejected.length === 0 ? 'The file has a header row but no students.' : null),
    students: rows.length,
    without_email: rows.filter(({ entry }) => entry.email === null).length,
    first_students: rows.slice(0, FIRST_STUDENTS).map(({ row, entry }) => ({
      row,
      full_name: entry.full_name,
      email: entry.email,
      student_number: entry.sis_user_id,
      lms_user_id: entry.external_user_id,
    })),
    refused_total: rejected.length,
    refused: rejected.slice(0, REFUSED_SHOWN).map(({ row, email, message }) => ({ row, email, message })),
    notes,
  }
}
