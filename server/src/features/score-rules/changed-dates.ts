import { dateProblems, extensionProblems } from '@assay/shared/rules/dates.ts'
import type { DatesToPreview } from '@assay/shared/score-rules.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { datesOf } from '../assignments/assignment-dates.ts'
import { assertValidDates, mergeDates, toDate } from '../assignments/update-assignment.ts'

/**
 * The assignment as it would be with other dates; nothing is stored.
 * @throws {AppError} `validation_failed` for dates that could not be saved
 */
export function withChangedDates(assignment: AssignmentDoc, { extension, ...change }: DatesToPreview): AssignmentDoc {
  const dates = mergeDates(datesOf(assignment), change)
  assertValidDates(dateProblems(dates))
  if (!extension) return { ...assignment, ...dates }
  const others = (assignment.extensions ?? []).filter(({ student_id }) => student_id !== extension.student_id)
  if (!extension.dates) return { ...assignment, ...dates, extensions: others }
  const { due_at, closes_at } = extension.dates
  const given = { student_id: extension.student_id, due_at: new Date(due_at), closes_at: toDate(closes_at) }
  assertValidDates(extensionProblems(given, dates))
  return { ...assignment, ...dates, extensions: [...others, given] }
}
