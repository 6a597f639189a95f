import { randomUUID } from 'node:crypto'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import {
  type AssignmentDoc,
  AssignmentModel,
  type AssignmentOverview,
} from '../../records/assignments/assignment.model.ts'
import { scoreRulesOf } from './adjusted-score.ts'

/** Null if changed meanwhile. Marks released scores as due in the same step, so that a crash loses nothing. */
export function storeScoreRules(
  assignment: Pick<AssignmentDoc, '_id' | 'score_rules'>,
  rules: ScoreRules,
  changedBy: number,
  now: Date,
): Promise<AssignmentDoc | null> {
  const seen = assignment.score_rules?.version
  return AssignmentModel.findOneAndUpdate(
    { _id: assignment._id, 'score_rules.version': seen ?? null },
    {
      $set: {
        score_rules: {
          ...rules,
          version: (seen ?? 0) + 1,
          changed_by: changedBy,
          changed_at: now,
          previous: scoreRulesOf(assignment),
        },
        released_scores_due: randomUUID(),
        updated_at: now,
      },
    },
  ).lean()
}

export async function findScoringAssignments(ids: number[]): Promise<Map<number, AssignmentOverview>> {
  const found = await AssignmentModel.find({ _id: { $in: [...new Set(ids)] } }, { rubric: 0 }).lean()
  return new Map(found.map((assignment) => [assignment._id, assignment]))
}

/** Stored along with a change of dates, which released scores depend on where there is a late penalty. */
export const releasedScoresDue = ({ score_rules }: Pick<AssignmentDoc, 'score_rules'>) =>
  score_rules?.late_penalty ? { released_scores_due: randomUUID() } : {}

export async function markReleasedScoresDue(assignment: Pick<AssignmentDoc, '_id' | 'score_rules'>): Promise<boolean> {
  if (!assignment.score_rules?.late_penalty) return false
  await AssignmentModel.updateOne({ _id: assignment._id }, { $set: { released_scores_due: randomUUID() } })
  return true
}

/** Says which assignments' released scores are due by it. */
export async function storeTimeZone(course_id: number, time_zone: string): Promise<number[]> {
  const others = { course_id, time_zone: { $ne: time_zone } }
  const penalized = { ...others, 'score_rules.late_penalty': { $ne: null } }
  const due = (await AssignmentModel.find(penalized, { _id: 1 }).lean()).map(({ _id }) => _id)
  await AssignmentModel.updateMany({ _id: { $in: due } }, { $set: { time_zone, released_scores_due: randomUUID() } })
  await AssignmentModel.updateMany(others, { $set: { time_zone } })
  return due
}

export async function findReleasedScoresDue(): Promise<number[]> {
  return (await AssignmentModel.find({ released_scores_due: { $exists: true } }, { _id: 1 }).lean()).map(
    ({ _id }) => _id,
  )
}

/** Unless something has changed again since it was read. */
export async function markReleasedScoresDone({
  _id,
  released_scores_due,
}: Pick<AssignmentDoc, '_id' | 'released_scores_due'>): Promise<void> {
  await AssignmentModel.updateOne({ _id, released_scores_due }, { $unset: { released_scores_due: '' } })
}
