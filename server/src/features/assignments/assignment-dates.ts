import { type AssignmentDates, type HandInWindow, handInWindow } from '@assay/shared/rules/dates.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'

type DatedAssignment = Pick<AssignmentOverview, keyof AssignmentDates | 'extensions'>

export function datesOf(assignment: DatedAssignment): AssignmentDates {
  return {
    available_at: assignment.available_at ?? null,
    due_at: assignment.due_at ?? null,
    closes_at: assignment.closes_at ?? null,
    late_rule: assignment.late_rule ?? 'accept',
  }
}

export function handInWindowOf(assignment: DatedAssignment, studentId: number | null, now: Date): HandInWindow {
  const extension = assignment.extensions?.find((one) => one.student_id === studentId) ?? null
  return handInWindow(datesOf(assignment), extension, now)
}

export function presentDates(assignment: DatedAssignment) {
  const { available_at, due_at, closes_at, late_rule } = datesOf(assignment)
  return {
    available_at: available_at?.toISOString() ?? null,
    due_at: due_at?.toISOString() ?? null,
    closes_at: closes_at?.toISOString() ?? null,
    late_rule,
  }
}

export const formatUtc = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
