import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiPlatformPauseModel } from '../../../records/lti/platform-pause.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { scoreTargetsOf } from './score-targets.ts'

/**
 * Sends refused and waiting scores now, and ends their platforms' pauses.
 * @param submissionIds null for all
 * @returns how many scores
 */
export async function resendScores(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  submissionIds: number[] | null,
  now: Date,
): Promise<number> {
  const targets = (await scoreTargetsOf(assignment)).filter(({ blockedReason }) => blockedReason === null)
  const platforms = targets.map(({ platform }) => platform._id)
  await LtiPlatformPauseModel.updateMany({ _id: { $in: platforms } }, { $set: { resume_at: now } })
  const changed = await LtiScoreModel.updateMany(
    {
      assignment_id: assignment._id,
      link: { $in: targets.map(({ link }) => link._id) },
      state: { $in: ['refused', 'waiting'] },
      ...(submissionIds ? { submission_id: { $in: submissionIds } } : {}),
    },
    { $set: { state: 'waiting', next_at: now, attempts: 0, updated_at: now } },
  )
  await markScoresChanged(assignment._id)
  return changed.matchedCount
}
