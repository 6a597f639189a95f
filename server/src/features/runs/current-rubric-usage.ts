import type { RubricUsage } from '../rubrics/edit-rubric.ts'
import { countPagesRead } from '../submissions/pages/paper-reading.service.ts'
import { countGrades } from '../submissions/submission-grading.ts'
import { findActiveRun } from './run.service.ts'

export const currentRubricUsage: RubricUsage = {
  isGrading: async (assignment) => (await findActiveRun(assignment)) !== null,
  countGrades,
  countPagesRead,
}
