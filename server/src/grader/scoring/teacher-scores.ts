import type { Anchor, SuggestedCriterion } from '../grader.ts'
import { levelOf } from './score-curve.ts'

/** What a teacher gave for criteria of a paper, by criterion, in points. */
export type TeacherScores = Readonly<Record<string, number>>

/** What the teacher decided on this very paper; approving a suggestion is no decision on it. */
export const teacherScoresFor = (id: number, anchors: readonly Anchor[] = []): TeacherScores =>
  Object.fromEntries(
    anchors
      .filter(({ submission_id, approved }) => submission_id === id && !approved)
      .map(({ criterion_id, score }) => [criterion_id, score]),
  )

/**
 * The criteria as they count, with the teacher's points where there are any. A suggestion is never computed from these; what the student
 * sees for the whole paper, and its remaining uncertainty, are.
 */
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
