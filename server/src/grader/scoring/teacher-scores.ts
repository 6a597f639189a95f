import type { CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { Anchor, SuggestedCriterion } from '../grader.ts'
import { levelOf } from './score-curve.ts'

/** By criterion, in points. */
export type TeacherScores = Readonly<Record<string, number>>

/** Approving a suggestion is no decision. */
export const teacherScoresFor = (id: number, anchors: readonly Anchor[] = []): TeacherScores =>
  Object.fromEntries(
    anchors
      .filter(({ submission_id, approved }) => submission_id === id && !approved)
      .map(({ criterion_id, score }) => [criterion_id, score]),
  )

/** For the student's summary and remaining uncertainty; suggestions are never computed from these. */
export const withTeacherScores = (
  criteria: readonly SuggestedCriterion[],
  settled: TeacherScores,
): SuggestedCriterion[] =>
  criteria.map((one) => {
    const given = settled[one.criterion_id]
    if (given === undefined) return one
    const score = Math.min(given, one.max_score)
    const { unscored_reason: _, ...criterion } = one
    return { ...criterion, score, level: levelOf(score / one.max_score), confidence: 1 }
  })

/** Given by teachers' review budgets only, never by graders. */
export const REVIEW_BUDGET = 'review_budget'

/** Grades made before each question had its own reason name several. */
export const questionIdsOf = ({ question_id, question_ids }: Pick<ReviewReason, 'question_id' | 'question_ids'>) =>
  question_ids ?? (question_id === undefined ? [] : [question_id])

export function unsettledReasons(
  reasons: readonly ReviewReason[],
  criteria: readonly Pick<CriterionGrade, 'criterion_id' | 'question_id'>[],
  decisions: TeacherScores = {},
): ReviewReason[] {
  const open = new Set(
    criteria.flatMap(({ criterion_id, question_id }) => (decisions[criterion_id] === undefined ? [question_id] : [])),
  )
  return reasons.filter((reason) => {
    const about = questionIdsOf(reason)
    // A budget doubts the total, which is certain once a person has given all points.
    if (reason.code === REVIEW_BUDGET) return open.size > 0
    return about.length === 0 || about.some((id) => open.has(id))
  })
}
