import { type AdjustedScore, adjustScore, type ScoreRules, withoutNoise } from '@assay/shared/rules/adjust-score.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { handInWindowOf } from './assignment-dates.ts'

/** The whole assignment, since a field left out of a query would read as “no rules”. */
export type ScoringAssignment = AssignmentOverview

export type TimedPaper = Pick<SubmissionDoc, 'student_id' | 'created_at' | 'handed_in_by' | 'late_waived'>

export const NO_RULES: ScoreRules = { adjustment: null, late_penalty: null }

export const scoreRulesOf = ({ score_rules }: Pick<AssignmentOverview, 'score_rules'>): ScoreRules =>
  score_rules ? { adjustment: score_rules.adjustment, late_penalty: score_rules.late_penalty } : NO_RULES

/** In ms. 0 without late rules, when waived, and for a teacher's uploads, whose hand-in time nobody knows. */
export function lateBy(assignment: ScoringAssignment, paper: TimedPaper): number {
  if (paper.handed_in_by !== 'student' || paper.late_waived) return 0
  const { late, due_at } = handInWindowOf(assignment, paper.student_id, paper.created_at)
  return late && due_at ? paper.created_at.getTime() - due_at.getTime() : 0
}

/**
 * In percent, as exact as the points it is made of: 25.25 of 37 is 68.2432, which an LMS turns into 25.25 again. Null
 * without a score, and while answers are still to be graded.
 */
export function gradedScore(
  grade: Pick<
    GradeOfSubmission,
    'manual_score_override' | 'overall_score' | 'override_from_points' | 'points' | 'unscored_points'
  > | null,
): number | null {
  if (!grade || grade.unscored_points) return null
  const { manual_score_override: override, overall_score, override_from_points, points } = grade
  const isWhole = override !== null && !override_from_points
  const rounded = override ?? overall_score
  return rounded === null || isWhole || !points || points.of === 0
    ? rounded
    : withoutNoise((100 * points.given) / points.of)
}

/** Null where nothing adjusts the score, or there is none. @param raw percent, as graded */
export function adjustedScoreOf(
  assignment: ScoringAssignment,
  paper: TimedPaper,
  raw: number | null,
  rules = scoreRulesOf(assignment),
): AdjustedScore | null {
  if (raw === null) return null
  const adjusted = adjustScore(raw, rules, lateBy(assignment, paper))
  return adjusted.steps.length > 0 ? adjusted : null
}
