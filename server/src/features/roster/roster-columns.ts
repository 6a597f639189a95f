import { RosterEntry } from '@assay/shared/roster.ts'
import { type ColumnMeaning, MAX_ROSTER_COLUMNS } from '@assay/shared/roster-columns.ts'
import { emailProblem } from '@assay/shared/rules/email.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'

export interface ColumnPlan {
  columns: Map<ColumnMeaning, number[]>
  addressed: boolean
}

export const planOf = (meanings: readonly ColumnMeaning[], { addressed = false } = {}): ColumnPlan => ({
  columns: Map.groupBy(meanings.keys(), (column) => meanings[column] ?? 'unused'),
  addressed,
})

export const usedColumns = ({ columns }: ColumnPlan): number[] =>
  [...columns].flatMap(([meaning, at]) => (meaning === 'unused' ? [] : at))

type ParsedRow = { entry: RosterPerson } | { problem: string; email: string } | { notStudent: string | null }

const ROW_LABELS = new Set(
  'points possible|points|max points|maximum points|out of|date|due date|category|weight|class average|overall average|average|mean|median|total|manual posting|student, test|test student'.split(
    '|',
  ),
)

const STAFF =
  /\b(?:(?:editing)?teach(?:er|ing)s?|instructors?|professors?|lecturers?|dozent(?:in)?|lehrer(?:in)?|enseignante?s?|tutors?|assistants?|tas?|observers?|mentors?|parents?|guardians?|staff|admins?|administrators?|designers?|faculty|managers?|coordinators?|graders?|markers?|auditors?|guests?)\b/i

/** A teacher who views the course as a student in Blackboard. */
const PREVIEW_USER = /_previewuser$/

function isRowLabel(cell: string): boolean {
  const label = cell.trim().toLowerCase()
  return ROW_LABELS.has(label) || PREVIEW_USER.test(label)
}

const SUFFIX = /^(?:jr|sr|ii|iii|iv|phd|md|ma|mba|msc|bsc|dr)\.?$/i

function inOrder(name: string): string {
  const [last, first, ...more] = name.split(',').map((part) => part.trim())
  if (!last || !first || more.length > 0 || SUFFIX.test(first)) return name
  return `${first} ${last}`
}

/** Brightspace writes `#` before ids, others `="0042"` to keep zeros. */
const unwrapped = (cell: string) => (/^="(.*)"$/.exec(cell)?.[1] ?? cell).replace(/^#/, '').trim()

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
  if (cells.slice(width).some((extra) => extra.trim() !== ''))
    return { email, problem: 'The row has more cells than the header. Put quotation marks around cells with commas.' }
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

function readRowWithoutAddress(fields: unknown, hasAddresses: boolean): ParsedRow {
  const parsed = EntryWithoutAddress.safeParse(fields)
  if (!parsed.success) return { email: '', problem: parsed.error.issues.map(({ message }) => message).join('. ') }
  if (parsed.data.full_name) return { entry: { email: null, ...parsed.data } }
  return { email: '', problem: hasAddresses ? 'Email is required' : 'Name is required' }
}

export const normalizeHeading = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, '_')
    .replace(/^_|_$/g, '')

/** `login` is the address at many schools, a name at others. */
export type HeadingKind = Exclude<ColumnMeaning, 'unused'> | 'login'

/** Normalized, the surest first. */
const HEADINGS: Record<HeadingKind, string> = {
  email: 'email e_mail email_address e_mail_address mail student_email school_email user_email primary_email',
  full_name: 'full_name name student_name student display_name sortable_name lastfirst last_first learner pupil',
  first_name: 'first_name first_names firstname given_name given_names forename vorname first',
  last_name: 'last_name lastname surname family_name nachname last_names last',
  // What a school calls its own number stands in for a SIS user ID.
  student_number:
    'sis_user_id sis_id student_id student_number student_no student_nr studentid id_number matriculation_number matriculation_no matr_nr matrikelnummer registration_number roll_number roll_no candidate_number student_sis_id student_num idnumber orgdefinedid org_defined_id admission_number local_student_id user_id upn uln adno adm_no admission_no candidate_no exam_number pupil_number',
  lms_user_id: 'external_user_id external_id canvas_user_id lms_user_id',
  role: 'role roles course_role user_role enrollment_role member_role',
  login: 'sis_login_id login_id username user_name user_login login',
}

const RANKS = new Map(
  (Object.keys(HEADINGS) as HeadingKind[]).flatMap((kind) =>
    HEADINGS[kind].split(' ').map((word, rank) => [word, { kind, rank }] as const),
  ),
)

export const countKnownHeadings = (headings: string[]) =>
  headings.filter((heading) => RANKS.has(normalizeHeading(heading))).length

function findColumn(headings: string[], kind: HeadingKind): number {
  let best = -1
  let bestRank = Number.POSITIVE_INFINITY
  for (const [i, heading] of headings.entries()) {
    const found = RANKS.get(heading)
    if (found?.kind !== kind || found.rank >= bestRank) continue
    best = i
    bestRank = found.rank
  }
  return best
}

function areAddresses(cells: string[]): boolean {
  const given = cells.map((cell) => cell.trim().replace(/^#/, '')).filter((cell) => cell !== '')
  const valid = given.filter((cell) => emailProblem(cell) === null).length
  return valid > 0 && valid >= given.length * 0.8
}

/** By the heading and the cells below; each meaning once. @param samples the first rows below the header */
export function guessColumns(header: string[], samples: string[][]): ColumnMeaning[] {
  const headings = header.slice(0, MAX_ROSTER_COLUMNS).map(normalizeHeading)
  const meanings = headings.map((): ColumnMeaning => 'unused')
  // A test student's login is no address even where all others are.
  const students = samples.filter((cells) => !cells.some(isRowLabel))
  const cellsOf = (column: number) => students.map((cells) => cells[column] ?? '')
  const take = (column: number, meaning: ColumnMeaning) => {
    if (column >= 0 && meanings[column] === 'unused' && !meanings.includes(meaning)) meanings[column] = meaning
  }
  take(findColumn(headings, 'email'), 'email')
  const login = findColumn(headings, 'login')
  if (login >= 0 && areAddresses(cellsOf(login))) take(login, 'email')
  take(findColumn(headings, 'first_name'), 'first_name')
  take(findColumn(headings, 'last_name'), 'last_name')
  // Two name columns are surer than one full name.
  if (!meanings.includes('first_name') || !meanings.includes('last_name'))
    take(findColumn(headings, 'full_name'), 'full_name')
  // Where Canvas writes the school's number as “Student SIS ID”, “Student ID” is its own.
  const sisId = headings.indexOf('student_sis_id')
  take(sisId, 'student_number')
  if (sisId >= 0) take(headings.indexOf('student_id'), 'lms_user_id')
  take(findColumn(headings, 'student_number'), 'student_number')
  take(findColumn(headings, 'lms_user_id'), 'lms_user_id')
  // A gradebook's own number for people, or in a plain list the only one.
  const id = headings.indexOf('id')
  take(id, meanings.includes('student_number') ? 'lms_user_id' : 'student_number')
  // “No” may count the rows.
  const no = headings.findIndex((heading) => ['no', 'nr', 'number'].includes(heading))
  if (cellsOf(no).every((cell) => cell.trim().length > 2)) take(no, 'student_number')
  take(login, 'lms_user_id')
  take(findColumn(headings, 'role'), 'role')
  return meanings
}

/** In Canvas's export of users, or of a gradebook. */
export function isCanvasIdColumn(header: string[], samples: string[][], column: number): boolean {
  const headings = header.map(normalizeHeading)
  const heading = headings[column] ?? ''
  if (heading === 'canvas_user_id') return true
  // “Student, ID, Section” may head anybody's list.
  const ofGradebook =
    headings.some((one) => /^sis_(?:user|login)_id$/.test(one)) ||
    samples.some((row) => row[0]?.trim() === 'Points Possible')
  if (heading === 'id') return ofGradebook && recognizeSystem(header, samples) === 'Canvas'
  return heading === 'student_id' && headings.includes('student_sis_id')
}

export function recognizeSystem(header: string[], samples: string[][]): string | null {
  const headings = header.map(normalizeHeading)
  const has = (...all: string[]) => all.every((one) => headings.includes(one))
  if (has('student', 'id', 'section') || has('sis_user_id', 'sis_login_id')) return 'Canvas'
  if (has('login_id', 'sortable_name') || has('canvas_user_id') || has('student_sis_id')) return 'Canvas'
  if (has('orgdefinedid') || has('end_of_line_indicator')) return 'Brightspace'
  if (has('last_access', 'availability') || has('username', 'student_id', 'availability')) return 'Blackboard'
  if (has('student_number') && ['lastfirst', 'grade_level', 'home_room'].some((one) => has(one))) return 'PowerSchool'
  if (has('student_num', 'student_name')) return 'PowerSchool'
  if (has('email_address', 'id_number') || has('email_address', 'institution', 'department')) return 'Moodle'
  if (has('email_address', 'last_downloaded_from_this_course') || has('username', 'idnumber')) return 'Moodle'
  const below = samples.slice(0, 3).map((cells) => cells[headings.indexOf('last_name')]?.trim().toLowerCase() ?? '')
  const underHeader = below.some((cell) => ['date', 'points'].includes(cell))
  return has('last_name', 'first_name', 'email_address') && underHeader ? 'Google Classroom' : null
}
