import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import { findRubricHead } from '../assignments/assignment.service.ts'
import { findCriterionConfidences } from '../grades/criterion-confidences.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { findSuggestedGrades, type SuggestedGradeRow } from '../submissions/submission-grades.ts'

/** How many grades' criteria are in memory at once. */
const BATCH = 500

/**
 * Suggestions that need no look of their own, in the order of their ids: graded by the rubric as it is, nothing flagged, nothing left to
 * grade, and the grader sure of every criterion that no person has decided.
 */
export async function findSureGrades(assignmentId: number): Promise<SuggestedGradeRow[]> {
  const head = await findRubricHead(assignmentId)
  const outdated = head ? await outdatedVersions(head) : null
  const suggested = (await findSuggestedGrades(assignmentId)).filter(
    ({ grade }) => !outdated?.has(grade.rubric_version),
  )
  const sure: SuggestedGradeRow[] = []
  for (let i = 0; i < suggested.length; i += BATCH) {
    const batch = suggested.slice(i, i + BATCH)
    const criteriaOf = await findCriterionConfidences(batch.map(({ grade }) => grade.id))
    for (const submission of batch) {
      const { decisions } = submission.grade
      const criteria = criteriaOf.get(submission.grade.id) ?? []
      const isSure = criteria.every(
        ({ criterion_id, score, confidence }) =>
          decisions?.[criterion_id] !== undefined || (score !== null && confidence >= SURE_CONFIDENCE),
      )
      // Without a criterion there is nothing to be sure of.
      if (criteria.length > 0 && isSure) sure.push(submission)
    }
  }
  return sure
}
