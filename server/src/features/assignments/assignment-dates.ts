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

/** A group has the longest extension of its members: it hands in one paper. @param whose null for nobody's */
export function handInWindowOf(assignment: DatedAssignment, whose: number | number[] | null, now: Date): HandInWindow {
  const people = [whose ?? []].flat()
  const [extension = null] = (assignment.extensions ?? [])
    .filter((one) => people.includes(one.student_id))
    .sort((a, b) => b.due_at.getTime() - a.due_at.getTime())
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
