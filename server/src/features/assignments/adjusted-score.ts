import { type AdjustedScore, adjustScore, type Lateness, type ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import { type Points, pointsFromPercent } from '@assay/shared/rules/points.ts'
import type { AssignmentOverview } from '../../records/assignments/assignment.model.ts'
import { isHandInTimeKnown } from '../../records/submissions/hand-in-time.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { GradeOfSubmission, SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { handInWindowOf } from './assignment-dates.ts'

/** The whole assignment, since a field left out of a query would read as “no rules”. */
export type ScoringAssignment = AssignmentOverview

/** All that a score depends on beside the grade. */
export const timedPaperFields = [
  ...(['student_id', 'partner_ids', 'member_points'] as const),
  ...(['created_at', 'handed_in_by', 'uploaded_at', 'late_waived'] as const),
]
export type TimedPaper = Pick<SubmissionDoc, (typeof timedPaperFields)[number]>

export const NO_RULES: ScoreRules = { adjustment: null, late_penalty: null }

export function scoreRulesOf({ score_rules }: Pick<AssignmentOverview, 'score_rules'>): ScoreRules {
  if (!score_rules) return NO_RULES
  const { adjustment, late_penalty, bonus_limit } = score_rules
  return { adjustment, late_penalty, ...(bonus_limit == null ? {} : { bonus_limit }) }
}

/** Null without late rules, when waived, and where nobody knows when a teacher's upload was handed in. */
export function latenessOf(assignment: ScoringAssignment, paper: TimedPaper): Lateness | null {
  if (!isHandInTimeKnown(paper) || paper.late_waived) return null
  const { late, due_at } = handInWindowOf(assignment, peopleOf(paper), paper.created_at)
  return late && due_at ? { due_at, at: paper.created_at, time_zone: assignment.time_zone ?? 'UTC' } : null
}

/** Null while answers are still to be graded. */
export function gradedPoints(
  grade: Pick<GradeOfSubmission, 'manual_score_override' | 'overall_score' | 'points' | 'unscored_points'> | null,
): Points | null {
  if (!grade || grade.unscored_points) return null
  const percent = grade.manual_score_override ?? grade.overall_score
  return percent === null ? null : (grade.points ?? pointsFromPercent(percent, 100))
}

export function adjustedScoreOf(
  assignment: ScoringAssignment,
  paper: TimedPaper,
  raw: Points | null,
  member: number | null = null,
): AdjustedScore | null {
  if (raw === null) return null
  const exception = paper.member_points?.find(({ student_id }) => student_id === member)
  const adjusted = adjustScore(raw, scoreRulesOf(assignment), latenessOf(assignment, paper), exception)
  return adjusted.steps.length > 0 ? adjusted : null
}
