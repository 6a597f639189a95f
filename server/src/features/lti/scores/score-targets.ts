import { AppError } from '../../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { findAssignmentCourse } from '../../assignments/assignment-queries.ts'
import { platformNamesById, platformsById } from '../platforms/platform.service.ts'

export interface ScoreTarget {
  link: LtiResourceLinkDoc
  context: LtiContextDoc
  platform: LtiPlatformDoc
  blockedReason: string | null
}

export type AssignmentRef = Pick<AssignmentDoc, '_id' | 'course_id'>

/** In the order first opened, without detached links and those outside any course, which have no students. */
export async function scoreTargetsOf(assignment: AssignmentRef): Promise<ScoreTarget[]> {
  const links = await LtiResourceLinkModel.find({
    assignment_id: assignment._id,
    context: { $ne: null },
    detached_at: null,
  })
    .sort({ _id: 1 })
    .lean()
  if (links.length === 0) return []
  const ids = links.flatMap(({ context }) => (context === null ? [] : [context]))
  const [contexts, platforms] = await Promise.all([
    LtiContextModel.find({ _id: { $in: ids } }).lean(),
    platformsById(links.map(({ platform_id }) => platform_id)),
  ])
  return links.flatMap((link) => {
    const context = contexts.find(({ _id }) => _id === link.context)
    const platform = platforms.get(link.platform_id)
    return context && platform
      ? [{ link, context, platform, blockedReason: blockedReasonOf(assignment, context, platform) }]
      : []
  })
}

/** Of all papers without `submissionIds`. */
export const scoresFilter = ({ _id }: AssignmentRef, targets: ScoreTarget[], submissionIds?: number[]) => ({
  assignment_id: _id,
  link: { $in: targets.map(({ link }) => link._id) },
  ...(submissionIds ? { submission_id: { $in: submissionIds } } : {}),
})

export async function scoreTargetOfLink(linkId: number): Promise<ScoreTarget | null> {
  const link = await LtiResourceLinkModel.findById(linkId, { assignment_id: 1 }).lean()
  if (link?.assignment_id == null) return null
  const assignment = await findAssignmentCourse(link.assignment_id)
  const targets = assignment ? await scoreTargetsOf(assignment) : []
  return targets.find((target) => target.link._id === linkId) ?? null
}

export async function lmsNamesOfAssignments(assignmentIds: number[]): Promise<Map<number, string[]>> {
  const links = await LtiResourceLinkModel.find(
    { assignment_id: { $in: assignmentIds }, context: { $ne: null }, detached_at: null },
    { assignment_id: 1, platform_id: 1 },
  ).lean()
  const platforms = await platformNamesById(links.map(({ platform_id }) => platform_id))
  const names = new Map<number, string[]>()
  for (const { assignment_id, platform_id } of links) {
    const name = platforms.get(platform_id)
    const known = names.get(assignment_id ?? 0) ?? []
    if (name && !known.includes(name)) names.set(assignment_id ?? 0, [...known, name])
  }
  return names
}

function blockedReasonOf(assignment: AssignmentRef, context: LtiContextDoc, platform: LtiPlatformDoc): string | null {
  const { name } = platform
  if (platform.status !== 'active')
    return `${name} is deactivated in Assay. Scores are sent once an administrator reactivates it.`
  if (context.course_id === null || context.course_id !== assignment.course_id) {
    const course = context.title ? `“${context.title}” in ${name}` : `The course in ${name}`
    return `${course} is no longer linked to this assignment’s course, so no scores are sent there.`
  }
  return null
}

export async function markLinkGone(link: number, message: string, now: Date): Promise<void> {
  await LtiResourceLinkModel.updateOne({ _id: link }, { $set: { gone: { at: now, message } } })
  await refuseGoneScores(link, message, now)
}

/** Including scores accepted just before. */
export async function refuseGoneScores(link: number, message: string, now: Date): Promise<void> {
  const reason = { code: 'gone' as const, message }
  const nothing = { accepted: null, result: null, check_at: null, unsure: null }
  await LtiScoreModel.updateMany(
    { link, state: { $in: ['sent', 'waiting'] } },
    { $set: { ...nothing, state: 'refused', reason, updated_at: now }, $inc: { change: 1 } },
  )
}

/** The next update deletes its scores. @throws {AppError} `resource_not_found`; `conflict` while it is still there */
export async function detachLink(assignment: AssignmentRef, linkId: number, now: Date) {
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
