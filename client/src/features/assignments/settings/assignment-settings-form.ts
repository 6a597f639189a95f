import type { Assignment, updateAssignment } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/endpoint.ts'
import { fromLocalInput } from '../../../lib/local-time.ts'
import { type DateValues, dateValuesOf } from '../dates-form.ts'

export interface AssignmentSettingsValues {
  name: string
  /** Null for none. */
  courseId: number | null
  dates: DateValues
}

export function settingsValuesOf(assignment: Assignment): AssignmentSettingsValues {
  return { name: assignment.title, courseId: assignment.course_id, dates: dateValuesOf(assignment) }
}

/** Only what differs: a field nobody touched keeps what a colleague may have saved in it meanwhile. */
export function changedSettings(
  saved: AssignmentSettingsValues,
  now: AssignmentSettingsValues,
): BodyOf<typeof updateAssignment> {
  const { name, courseId, dates } = now
  const moved = (field: 'available_at' | 'due_at' | 'closes_at') =>
    dates[field] === saved.dates[field] ? {} : { [field]: fromLocalInput(dates[field]) }
  return {
    ...(name.trim() === saved.name ? {} : { name: name.trim() }),
    ...(courseId === saved.courseId ? {} : { course_id: courseId }),
    ...moved('available_at'),
    ...moved('due_at'),
    ...moved('closes_at'),
    ...(dates.late_rule === saved.dates.late_rule ? {} : { late_rule: dates.late_rule }),
  }
}

export function hasChanges(saved: AssignmentSettingsValues, now: AssignmentSettingsValues): boolean {
  return Object.keys(changedSettings(saved, now)).length > 0
}
