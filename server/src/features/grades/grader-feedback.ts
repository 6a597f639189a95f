import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { summariseGrade } from '../../grader/scoring/grade-summary.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import type { OutdatedVersions } from '../rubrics/outdated-grades.ts'
import { wholeScoreOf } from './score-grade.ts'

/** Without the grader's words where a person gave other points or the key has changed: they may contradict what counts. */
export function withoutOutdatedFeedback(
  criteria: readonly CriterionGrade[],
  { decisions, rubric_version }: Pick<GradeOfSubmission, 'decisions' | 'rubric_version'>,
  outdated: OutdatedVersions | undefined,
): CriterionGrade[] {
  const changed = new Set(outdated?.get(rubric_version)?.changed.map(({ id }) => id))
  return criteria.map((criterion) => {
    const points = decisions?.[criterion.criterion_id] ?? criterion.score
    const stands = points === criterion.score && !changed.has(criterion.question_id)
    return stands ? criterion : { ...criterion, llm_feedback: '' }
  })
}

/** The summary after a decision: of the points that count. Empty where a score for the whole paper counts instead. */
export function summaryAfter(
  before: Pick<GradeOfSubmission, 'summary' | 'decisions' | 'overall_score'>,
  criteria: readonly CriterionGrade[],
  after: Pick<GradeOfSubmission, 'decisions' | 'manual_score_override' | 'override_from_points'>,
  rubric: Rubric | null,
): string {
  const wholeScore = wholeScoreOf(after)
  if (wholeScore !== null && wholeScore !== before.overall_score) return ''
  const counted = (given: PointsByCriterion | undefined) =>
    criteria.map((one) => ({ ...one, score: given?.[one.criterion_id] ?? one.score }))
  const now = counted(after.decisions)
  const isSame = counted(before.decisions).every(({ score }, i) => score === now[i]?.score)
  if (!rubric || (isSame && before.summary !== '')) return before.summary
  return summariseGrade(rubric.questions, now)
}
