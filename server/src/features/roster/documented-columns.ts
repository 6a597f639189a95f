import { HEADINGS, type HeadingKind, normalizeHeading, wordsOf } from './roster-headings.ts'
import type { ColumnPlan } from './roster-row.ts'
import type { RosterTable } from './roster-table.ts'

const KINDS = new Map(
  (Object.keys(HEADINGS) as HeadingKind[]).flatMap((kind) =>
    wordsOf(HEADINGS[kind].documented).map((word) => [word, kind] as const),
  ),
)
/** Filled in for each other: of a row without the one, the other counts. */
const SIS_IDS = new Set(['sis_user_id', 'sis_id'])

/** By the headings that the API documents, for callers who do not say what each column holds. Null where none is an email address. */
export function documentedColumns({ header }: RosterTable): ColumnPlan | null {
  const headings = header.map(normalizeHeading)
  const first = (kind: HeadingKind, wanted: (heading: string) => boolean = () => true): number[] => {
    const found = headings.findIndex((heading) => KINDS.get(heading) === kind && wanted(heading))
    return found < 0 ? [] : [found]
  }
  const email = first('email')
  if (email.length === 0) return null
  return {
    asWritten: true,
    columns: {
      email,
      full_name: first('full_name'),
      first_name: first('first_name'),
      last_name: first('last_name'),
      student_number: [
        ...first('student_number', (heading) => SIS_IDS.has(heading)),
        ...first('student_number', (heading) => !SIS_IDS.has(heading)),
      ],
      lms_user_id: first('lms_user_id'),
    },
  }
}
