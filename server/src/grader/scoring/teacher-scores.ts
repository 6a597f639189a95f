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
