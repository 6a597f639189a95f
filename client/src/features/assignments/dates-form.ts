import type { Assignment } from '@assay/shared/assignments.ts'
import { type DateProblem, dateProblems, handInWindow, type LateRule } from '@assay/shared/rules/dates.ts'
import { fromLocalInput, toLocalInput } from '../../lib/local-time.ts'

/** Local times, empty for none. */
export interface DateValues {
  available_at: string
  due_at: string
  closes_at: string
  late_rule: LateRule
}

export const noDates: DateValues = { available_at: '', due_at: '', closes_at: '', late_rule: 'accept' }

type AssignmentDateFields = Pick<Assignment, 'available_at' | 'due_at' | 'closes_at' | 'late_rule'>

export function dateValuesOf({ available_at, due_at, closes_at, late_rule }: AssignmentDateFields): DateValues {
  return {
    available_at: toLocalInput(available_at),
    due_at: toLocalInput(due_at),
    closes_at: toLocalInput(closes_at),
    late_rule,
  }
}

const dateOf = (text: string) => {
  const iso = fromLocalInput(text)
  return iso === null ? null : new Date(iso)
}

export function dateErrors(values: Omit<DateValues, 'late_rule'>): Partial<Record<DateProblem['field'], string>> {
  const problems = dateProblems({
    available_at: dateOf(values.available_at),
    due_at: dateOf(values.due_at),
    closes_at: dateOf(values.closes_at),
  })
  return Object.fromEntries(problems.map(({ field, message }) => [field, message]))
}

export function withDatesState<T extends AssignmentDateFields>(assignment: T) {
  const dates = {
    available_at: moment(assignment.available_at),
    due_at: moment(assignment.due_at),
    closes_at: moment(assignment.closes_at),
    late_rule: assignment.late_rule,
  }
  return { ...assignment, dates_state: handInWindow(dates, null, new Date()).state }
}

const moment = (iso: string | null) => (iso === null ? null : new Date(iso))
