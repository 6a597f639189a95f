import { AppError } from '../../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { scoreTargetsOf } from './score-targets.ts'

/** The LMS has no line item for the link any more and allows no other. */
export async function markLinkGone(link: number, message: string, now: Date): Promise<void> {
  await LtiResourceLinkModel.updateOne({ _id: link }, { $set: { gone: { at: now, message } } })
  await refuseGoneScores(link, message, now)
}

/** Including scores that the LMS accepted just before. */
export async function refuseGoneScores(link: number, message: string, now: Date): Promise<void> {
  const reason = { code: 'gone' as const, message }
  const nothing = { accepted: null, result: null, check_at: null, unsure: null }
  await LtiScoreModel.updateMany(
    { link, state: { $in: ['sent', 'waiting'] } },
    { $set: { ...nothing, state: 'refused', reason, updated_at: now }, $inc: { change: 1 } },
  )
}

/** The next update deletes its scores. @throws {AppError} `resource_not_found`; `conflict` while it is still there */
export async function detachLink(
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>,
  linkId: number,
  now: Date,
): Promise<LtiResourceLinkDoc> {
  const target = (await scoreTargetsOf(assignment)).find(({ link }) => link._id === linkId)
  if (!target) throw new AppError('resource_not_found', 'This activity is no longer attached. Reload the page.')
  const { link, platform } = target
  const detached = await LtiResourceLinkModel.updateOne(
    { _id: linkId, gone: { $ne: null } },
    { $set: { detached_at: now } },
  )
  if (detached.matchedCount === 0)
    throw new AppError(
      'conflict',
      `${platform.name} still has this activity, as far as Assay knows. Delete it there, then choose “Read the gradebook” here.`,
    )
  await markScoresChanged(assignment._id)
  return link
}
