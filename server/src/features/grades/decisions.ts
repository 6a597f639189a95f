import type { CriterionDecision, CriterionGrade, ReviewReason } from '@assay/shared/grades.ts'
import type { ScoredCriterion } from '@assay/shared/rules/criterion-points.ts'
import { levelOf } from '../../grader/scoring/score-curve.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

/** Points by criterion id. */
type Decisions = Record<string, number>

/** @throws {AppError} `validation_failed` for an unknown criterion, or more points than it can earn */
export function applyDecisionChanges(
  before: Decisions | undefined,
  changes: readonly CriterionDecision[],
  criteria: readonly ScoredCriterion[],
): Decisions {
  const after = { ...before }
  const most = new Map(criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]))
  for (const { criterion_id, score } of changes) {
    const max = most.get(criterion_id)
    if (max === undefined)
      throw invalidDecision(criterion_id, 'This grade no longer has this criterion. Reload the page.')
    if (score === undefined) continue
    if (score === null) delete after[criterion_id]
    else if (score > max) throw invalidDecision(criterion_id, `At most ${max} points`)
    else after[criterion_id] = score
  }
  return after
}

/** Blank feedback counts as none. */
export function applyFeedbackChanges(
  before: Record<string, string> | undefined,
  changes: readonly CriterionDecision[],
): Record<string, string> {
  const after = { ...before }
  for (const { criterion_id, feedback } of changes) {
    if (feedback === undefined) continue
    const words = feedback?.trim()
    if (words) after[criterion_id] = words
    else delete after[criterion_id]
  }
  return after
}

/** Unlike points, feedback stays when only the criterion's points have changed. */
export function retainFeedback(
  feedback: Record<string, string> | undefined,
  criteria: readonly Pick<CriterionGrade, 'criterion_id'>[],
): Record<string, string> {
  const known = new Set(criteria.map(({ criterion_id }) => criterion_id))
  return Object.fromEntries(Object.entries(feedback ?? {}).filter(([id]) => known.has(id)))
}

function invalidDecision(criterionId: string, msg: string): AppError {
  return new AppError('validation_failed', msg, {
    details: [{ loc: ['body', 'criteria', criterionId], msg, type: 'criteria' }],
  })
}

export const POINTS_CHANGED: ReviewReason = {
  code: 'points_changed',
  message: 'Some points you gave were removed, because the maximum points of their criteria have changed.',
}

/** Where criteria still exist with the same maximum points. */
export function retainValidDecisions(
  decisions: Decisions | undefined,
  then: readonly ScoredCriterion[],
  now: readonly ScoredCriterion[],
): Decisions {
  const worth = (criteria: readonly ScoredCriterion[]) =>
    new Map(criteria.map(({ criterion_id, max_score }) => [criterion_id, max_score]))
  const [before, after] = [worth(then), worth(now)]
  return Object.fromEntries(
    Object.entries(decisions ?? {}).filter(
      ([id, score]) => score <= (after.get(id) ?? -1) && after.get(id) === before.get(id),
    ),
  )
}

/** Keeps the authors of unchanged points; unknown ones are left out. */
export function decisionAuthors(
  before: Pick<GradeOfSubmission, 'decisions' | 'decided_by'> | null,
  decisions: Decisions,
  actorId: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(decisions).flatMap(([id, points]) => {
      const author = before?.decisions?.[id] === points ? before.decided_by?.[id] : actorId
      return author === undefined ? [] : [[id, author]]
    }),
  )
}

export function withDecision<
  T extends Pick<CriterionGrade, 'criterion_id' | 'score' | 'max_score' | 'llm_performance_level'>,
>(criterion: T, decisions: Decisions | undefined): T {
  const score = decisions?.[criterion.criterion_id]
  if (score === undefined) return criterion
  return { ...criterion, score, llm_performance_level: levelOf(score / criterion.max_score) }
}

export const auditedDecision = (grade: GradeOfSubmission) => ({
  overall_score: grade.overall_score,
  manual_score_override: grade.manual_score_override,
  manual_feedback: grade.manual_feedback,
  needs_review: grade.needs_review,
  ...(grade.decisions && Object.keys(grade.decisions).length > 0 ? { points: grade.decisions } : {}),
  ...(grade.criterion_feedback && Object.keys(grade.criterion_feedback).length > 0
    ? { criterion_feedback: grade.criterion_feedback }
    : {}),
})
