import type { Assignment } from '@assay/shared/assignments.ts'
import type { StudentAssignment } from '@assay/shared/students.ts'

export const unsetDates = { available_at: null, due_at: null, closes_at: null, late_rule: 'accept' as const }

export const unsetAssignmentDates = { ...unsetDates, dates_state: 'open' } satisfies Partial<Assignment>

export const unsetStudentDates = {
  ...unsetDates,
  state: 'open',
  late: false,
  can_hand_in: true,
  why_not: null,
} satisfies Partial<StudentAssignment>
