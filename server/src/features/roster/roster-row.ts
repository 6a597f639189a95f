import { RosterEntry } from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { emailProblem } from '@assay/shared/rules/email.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'

export interface ColumnPlan {
  /** The first cell that is not empty counts where several have one meaning. */
  columns: Map<ColumnMeaning, number[]>
  /** A row without an address is refused. */
  addressed: boolean
}

export const planOf = (meanings: readonly ColumnMeaning[], { addressed = false } = {}): ColumnPlan => ({
  columns: Map.groupBy(meanings.keys(), (column) => meanings[column] ?? 'unused'),
  addressed,
})

export const usedColumns = ({ columns }: ColumnPlan): number[] =>
  [...columns].flatMap(([meaning, at]) => (meaning === 'unused' ? [] : at))

export type ParsedRow =
  | { entry: RosterPerson }
  | { problem: string; email: string }
  /** With the words it is known by, if it has any. */
  | { notStudent: string | null }

/** What gradebooks write below the header or the last student where a name would be. */
const ROW_LABELS = new Set(
  'points possible|points|max points|maximum points|out of|date|due date|category|weight|class average|overall average|average|mean|median|total|manual posting|student, test|test student'.split(
    '|',
  ),
)

/** What a row with this role is not: a student's. */
const STAFF =
  /\b(?:(?:editing)?teach(?:er|ing)s?|instructors?|professors?|lecturers?|dozent(?:in)?|lehrer(?:in)?|enseignante?s?|tutors?|assistants?|tas?|observers?|mentors?|parents?|guardians?|staff|admins?|administrators?|designers?|faculty|managers?|coordinators?|graders?|markers?|auditors?|guests?)\b/i

/** A teacher who views the course as a student in Blackboard. */
const PREVIEW_USER = /_previewuser$/

export function isRowLabel(cell: string): boolean {
  const label = cell.trim().toLowerCase()
  return ROW_LABELS.has(label) || PREVIEW_USER.test(label)
}

/** Parts after a comma that belong to the name before it. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|md|ma|mba|msc|bsc|dr)\.?$/i

/** `Lovelace, Ada` as `Ada Lovelace`. */
function inOrder(name: string): string {
  const [last, first, ...more] = name.split(',').map((part) => part.trim())
  if (!last || !first || more.length > 0 || SUFFIX.test(first)) return name
  return `${first} ${last}`
}

/** Brightspace writes `#` before ids, others `="0042"` to keep zeros. */
const unwrapped = (cell: string) => (/^="(.*)"$/.exec(cell)?.[1] ?? cell).replace(/^#/, '').trim()

/** @param width how many columns have a heading */
export function readRow(cells: string[], { columns, addressed }: ColumnPlan, width: number): ParsedRow {
  const raw = (meaning: ColumnMeaning) =>
    (columns.get(meaning) ?? []).map((column) => cells[column]?.trim()).find(Boolean) ?? ''
  const read = (meaning: ColumnMeaning) => unwrapped(raw(meaning))
  const email = read('email')
  const partsOfName = `${raw('first_name')} ${raw('last_name')}`.trim()
  const name = raw('full_name') || partsOfName
  const role = raw('role')
  if (STAFF.test(role.replace(/_/g, ' ').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')))
    return { notStudent: `${name || email} (${role})` }
  if (!addressed && emailProblem(email) !== null) {
    const label = raw('full_name') || raw('last_name') || raw('first_name')
    // Date, Weight and Mean are surnames too, and a label has no first name.
    const isPerson = !raw('full_name') && raw('first_name') !== '' && raw('last_name') !== ''
    if (isPerson ? PREVIEW_USER.test(label) || isRowLabel(partsOfName) : isRowLabel(label)) return { notStudent: label }
    const numbers = read('student_number') || read('lms_user_id')
    if (!email && !name && !numbers) return { notStudent: null }
  }
  if (cells.slice(width).some((extra) => extra.trim() !== '')) {
    return { email, problem: 'The row has more cells than the header. Put quotation marks around cells with commas.' }
  }
  const fields = {
    external_user_id: read('lms_user_id'),
    sis_user_id: read('student_number'),
    full_name: raw('full_name') ? inOrder(name) : name,
  }
  if (!addressed && !email) return readRowWithoutAddress(fields, columns.has('email'))
  const parsed = RosterEntry.safeParse({ email, ...fields })
  if (parsed.success) return { entry: parsed.data }
  return { email, problem: parsed.error.issues.map(({ message }) => message).join('. ') }
}

const EntryWithoutAddress = RosterEntry.omit({ email: true })

/** For matching papers by name and number. */
function readRowWithoutAddress(fields: unknown, hasAddresses: boolean): ParsedRow {
  const parsed = EntryWithoutAddress.safeParse(fields)
  if (!parsed.success) return { email: '', problem: parsed.error.issues.map(({ message }) => message).join('. ') }
  if (parsed.data.full_name) return { entry: { email: null, ...parsed.data } }
  return { email: '', problem: hasAddresses ? 'Email is required' : 'Name is required' }
}
