import type { Question } from '@assay/shared/rubrics.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'

/**
 * Not what a person has decided, approved or scored as a whole, nor what a student sees: a grade that was released changes only by a
 * person's own decision on it.
 */
export function mayChange({ grade }: Pick<SubmissionDoc, 'grade'>, { criteria }: Question): boolean {
  if (!grade || grade.reviewed_at !== null || grade.released) return false
  if (grade.manual_score_override !== null && !grade.override_from_points) return false
  return criteria.some(({ id }) => grade.decisions?.[id] === undefined)
}
