import type { Assignment, updateAssignment } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { DatesToPreview } from '@assay/shared/score-rules.ts'
import { fromLocalInput } from '../../../lib/local-time.ts'
import { type DateValues, dateValuesOf } from '../dates-form.ts'

interface AssignmentSettingsValues extends DateValues {
  name: string
  /** Null for none. */
  course_id: number | null
}

export function settingsValuesOf(assignment: Assignment): AssignmentSettingsValues {
  return { name: assignment.title, course_id: assignment.course_id, ...dateValuesOf(assignment) }
}

/** Only the changed fields: the others may have been saved by a colleague meanwhile. */
export function changedSettings(
  saved: AssignmentSettingsValues,
  now: AssignmentSettingsValues,
): BodyOf<typeof updateAssignment> {
  const moved = (field: 'available_at' | 'due_at' | 'closes_at') =>
    now[field] === saved[field] ? {} : { [field]: fromLocalInput(now[field]) }
  return {
    ...(now.name.trim() === saved.name ? {} : { name: now.name.trim() }),
    ...(now.course_id === saved.course_id ? {} : { course_id: now.course_id }),
    ...moved('available_at'),
    ...moved('due_at'),
    ...moved('closes_at'),
    ...(now.late_rule === saved.late_rule ? {} : { late_rule: now.late_rule }),
  }
}

/** Of a change, what scores may depend on. */
export function changedDates({
  name: _name,
  course_id: _course,
  ...dates
}: BodyOf<typeof updateAssignment>): DatesToPreview {
  return dates
}

export function hasChanges(saved: AssignmentSettingsValues, now: AssignmentSettingsValues): boolean {
  return Object.keys(changedSettings(saved, now)).length > 0
}
