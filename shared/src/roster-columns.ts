import { z } from 'zod'
import { parseJson } from './rules/parse-json.ts'

export const columnMeanings = [
  'email',
  'full_name',
  'first_name',
  'last_name',
  'student_number',
  'lms_user_id',
  'role',
  'unused',
] as const
export const ColumnMeaning = z.enum(columnMeanings)
export type ColumnMeaning = z.infer<typeof ColumnMeaning>

export const columnMeaningLabels: Record<ColumnMeaning, string> = {
  email: 'Email',
  full_name: 'Full name',
  first_name: 'First name',
  last_name: 'Last name',
  student_number: 'Student number',
  lms_user_id: 'LMS user ID',
  role: 'Role',
  unused: 'Not used',
}

export const MAX_ROSTER_COLUMNS = 500

export const repeatedMeaning = (meanings: readonly ColumnMeaning[]): ColumnMeaning | null =>
  meanings.find((one, i) => one !== 'unused' && meanings.indexOf(one) !== i) ?? null

export function columnsProblem(meanings: readonly ColumnMeaning[]): string | null {
  const repeated = repeatedMeaning(meanings)
  if (repeated) return `Two columns are set to “${columnMeaningLabels[repeated]}”. Keep one of them.`
  const has = (...some: ColumnMeaning[]) => some.some((one) => meanings.includes(one))
  if (has('email', 'full_name', 'first_name', 'last_name')) return null
  return 'Students need an email address or a name. Set one of the columns to “Email”, “Full name” or “Last name”.'
}

/** A form field: a JSON list in the columns' order. Further columns are not used. */
export const RosterColumns = z
  .string()
  .max(20_000)
  .describe(`A JSON list with the meaning of each column: ${columnMeanings.join(', ')}`)
  .transform(parseJson)
  .pipe(
    z
      .array(ColumnMeaning, 'columns must be a JSON list of meanings.')
      .min(1)
      .max(MAX_ROSTER_COLUMNS)
      .superRefine((meanings, context) => {
        const message = columnsProblem(meanings)
        if (message) context.addIssue({ code: 'custom', message })
      }),
  )
