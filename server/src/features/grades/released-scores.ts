import { isDeepStrictEqual } from 'node:util'
import type { Points } from '@assay/shared/rules/points.ts'
import { withInvalidation } from '../../records/grading/analytics-invalidation.ts'
import { type ReleaseDoc, ReleaseModel } from '../../records/grading/grade.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import { adjustedScoreOf, type ScoringAssignment, type TimedPaper } from '../assignments/adjusted-score.ts'
import { findScoringAssignments } from '../assignments/assignment.service.ts'
import { findPaperTimes } from '../submissions/submission.service.ts'

type ReleasedScore = Pick<ReleaseDoc, 'points' | 'adjusted' | 'rules_version' | 'member_scores'>

export const rawPointsOf = ({ adjusted, points }: Pick<ReleaseDoc, 'adjusted' | 'points'>): Points | null =>
  adjusted?.raw_points ?? points

export function scoreToRelease(assignment: ScoringAssignment, paper: TimedPaper, raw: Points | null): ReleasedScore {
  const adjusted = adjustedScoreOf(assignment, paper, raw)
  const rules_version = assignment.score_rules?.version
  const people = peopleOf(paper)
  const members = (paper.member_points ?? []).flatMap(({ student_id }) => {
    const own = people.includes(student_id) ? adjustedScoreOf(assignment, paper, raw, student_id) : null
    return own ? [{ student_id, points: own.points, adjusted: own }] : []
  })
  return {
    points: adjusted ? adjusted.points : raw,
    ...(members.length > 0 ? { member_scores: members } : {}),
    ...(adjusted ? { adjusted } : {}),
    ...(rules_version === undefined ? {} : { rules_version }),
  }
}

/** Applies the present rules, dates and waivers only. Idempotent, also in parallel. */
export async function refreshReleasedScores(assignmentId: number, submissionIds: number[]): Promise<void> {
  let open = submissionIds
  while (open.length > 0) {
    const assignment = (await findScoringAssignments([assignmentId])).get(assignmentId)
    if (!assignment) return
    const [papers, releases] = await Promise.all([
      findPaperTimes(open),
      ReleaseModel.find(
        { _id: { $in: open }, assignment_id: assignmentId },
        { points: 1, adjusted: 1, member_scores: 1, rules_version: 1, revision: 1, student_id: 1, released_at: 1 },
      ).lean(),
    ])
    const changes = releases.flatMap((release) => {
      if (!assignment.score_rules && !release.member_scores && !papers.get(release._id)?.member_points) return []
      const paper = papers.get(release._id)
      const next = paper && scoreToRelease(assignment, paper, rawPointsOf(release))
      return next && !isSame(release, next) ? [{ release, next }] : []
    })
    if (changes.length === 0) return
    await withInvalidation([`assignment/${assignmentId}`], () =>
      ReleaseModel.bulkWrite(
        changes.map(({ release: { _id, revision, released_at, rules_version, points }, next }) => ({
          updateOne: {
            // Neither released nor adjusted by anybody since it was read.
            filter: {
              _id,
              revision,
              released_at,
              rules_version: rules_version ?? null,
              'points.given': points?.given ?? null,
            },
            update: { $set: { member_scores: [], ...next, adjusted: next.adjusted ?? null } },
          },
        })),
        { ordered: false },
      ),
    )
    open = changes.map(({ release }) => release._id)
  }
}

const isSame = (a: ReleasedScore, b: ReleasedScore) =>
  isDeepStrictEqual(a.points, b.points) &&
  a.rules_version === b.rules_version &&
  isDeepStrictEqual(a.adjusted ?? null, b.adjusted ?? null) &&
  isDeepStrictEqual(a.member_scores ?? [], b.member_scores ?? [])

export async function countReleasedScores(
  assignmentId: number,
  version: number,
): Promise<{ done: number; total: number }> {
  const [total, done] = await Promise.all([
    ReleaseModel.countDocuments({ assignment_id: assignmentId }),
    ReleaseModel.countDocuments({ assignment_id: assignmentId, rules_version: version }),
  ])
  return { done, total }
}

export async function releaseIdsAfter(assignmentId: number, after: number, size: number): Promise<number[]> {
  const found = await ReleaseModel.find({ assignment_id: assignmentId, _id: { $gt: after } }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(size)
    .lean()
  return found.map(({ _id }) => _id)
}

export async function releasedScoresById(
  assignmentId: number,
): Promise<Map<number, Pick<ReleaseDoc, '_id' | 'points' | 'adjusted'>>> {
  const found = await ReleaseModel.find({ assignment_id: assignmentId }, { points: 1, adjusted: 1 }).lean()
  return new Map(found.map((release) => [release._id, release]))
}

export async function adjustedReleaseScores(submissionIds: number[]): Promise<Map<number, number>> {
  const found = await ReleaseModel.find(
    { _id: { $in: submissionIds }, 'adjusted.score': { $gte: 0 } },
    { adjusted: 1 },
  ).lean()
  return new Map(found.flatMap(({ _id, adjusted }) => (adjusted ? [[_id, adjusted.score] as const] : [])))
}
