import {
  finalPoints,
  percentFromPoints,
  type ScoredCriterion,
  unscoredPoints,
} from '@assay/shared/rules/criterion-points.ts'
import { exactPercent } from '@assay/shared/rules/points.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'

type Scored = Pick<
  GradeOfSubmission,
  'manual_score_override' | 'override_from_points' | 'final_score' | 'points' | 'unscored_points'
>
type Standing = Pick<GradeOfSubmission, 'overall_score'> & Partial<Scored>

/** What a teacher has given for the paper as a whole, in percent; null where their points for criteria count. */
export const wholeScoreOf = ({
  override_from_points,
  manual_score_override = null,
}: Partial<Pick<Scored, 'override_from_points' | 'manual_score_override'>>) =>
  override_from_points ? null : manual_score_override

/** @param wholeScore stays until another is given; it covers what nobody has graded, too */
export function scoreGrade(
  before: Standing,
  criteria: readonly ScoredCriterion[],
  decisions: PointsByCriterion,
  wholeScore = wholeScoreOf(before),
): Scored {
  const fromPoints = wholeScore === null ? percentFromPoints(decisions, criteria) : null
  const override = wholeScore ?? fromPoints
  const points = finalPoints(criteria, decisions, wholeScore)
  const shown = override ?? before.overall_score
  return {
    manual_score_override: override,
    override_from_points: fromPoints !== null,
    final_score: shown !== null && points ? exactPercent(points) : shown,
    points,
    unscored_points: wholeScore === null ? unscoredPoints(criteria, decisions) : 0,
  }
}
