import { normalizeHeading } from './roster-columns.ts'
import type { ColumnPlan } from './roster-row.ts'
import type { RosterTable } from './roster-table.ts'

type Column =
  | 'email'
  | 'external_user_id'
  | 'sis_user_id'
  | 'student_number'
  | 'full_name'
  | 'given_name'
  | 'family_name'

/** The headings that the API documents, for callers who do not say what each column holds. */
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

/** Null where no column is named as an email address. */
export function documentedColumns({ header }: RosterTable): ColumnPlan | null {
  const found = new Map<Column, number>()
  for (const [i, heading] of header.entries()) {
    const column = COLUMN_NAMES.get(normalizeHeading(heading))
    if (column && !found.has(column)) found.set(column, i)
  }
  const of = (...columns: Column[]) => columns.flatMap((column) => found.get(column) ?? [])
  if (!found.has('email')) return null
  return {
    asWritten: true,
    columns: {
      email: of('email'),
      full_name: of('full_name'),
      first_name: of('given_name'),
      last_name: of('family_name'),
      student_number: of('sis_user_id', 'student_number'),
      lms_user_id: of('external_user_id'),
    },
  }
}
