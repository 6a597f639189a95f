import { isDuplicateKeyError, nextId } from '../../../lib/database/database.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { customAssignmentId, linkHistoryOf } from './custom-parameters.ts'
import { needsUpdate } from './needs-update.ts'

interface LaunchLocation {
  platformId: number
  deploymentId: string
  context: LtiContextDoc | null
}

/** The link that was opened, as the LMS says anew; null where the message names none. */
export async function upsertResourceLink(
  place: LaunchLocation,
  facts: LaunchFacts,
  now: Date,
): Promise<LtiResourceLinkDoc | null> {
  const { resourceLink, assignmentAndGrades } = facts
  if (!resourceLink) return findReviewedLink(place, facts)
  const history = linkHistoryOf(facts.custom)
  const said = {
    ...(resourceLink.title ? { title: resourceLink.title } : {}),
    ...(history.length > 0 ? { history } : {}),
    // Left out once a second line item is bound to the link, so what was named before holds.
    ...(assignmentAndGrades?.lineitem ? { lineitem_url: assignmentAndGrades.lineitem } : {}),
    launched_at: now,
  }
  const where = {
    platform_id: place.platformId,
    deployment_id: place.deploymentId,
    context: place.context?._id ?? null,
    resource_link_id: resourceLink.id,
  }
  const known = async () => {
    const stored = await LtiResourceLinkModel.findOne(where).lean()
    if (!stored || !needsUpdate(said, stored)) return stored
    return LtiResourceLinkModel.findOneAndUpdate(where, { $set: said }, { returnDocument: 'after' }).lean()
  }
  const found = (await known()) ?? (await createResourceLink(where, said, now)) ?? (await known())
  return found && followNamedAssignment(found, place.context, facts)
}

async function createResourceLink(
  where: Pick<LtiResourceLinkDoc, 'platform_id' | 'deployment_id' | 'context' | 'resource_link_id'>,
  said: Partial<LtiResourceLinkDoc>,
  now: Date,
): Promise<LtiResourceLinkDoc | null> {
  const fresh = {
    title: null,
    assignment_id: null,
    course_only: false,
    named_assignment_id: null,
    history: [],
  }
  const rest = { lineitem_url: null, created_at: now, launched_at: now }
  const doc: LtiResourceLinkDoc = { _id: await nextId('lti_links'), ...where, ...fresh, ...rest, ...said }
  try {
    await LtiResourceLinkModel.create(doc)
    return doc
  } catch (error) {
    // Opened by two at once for the first time: the index decided.
    if (!isDuplicateKeyError(error)) throw error
    return null
  }
}

/** A review request may name the line item alone. */
async function findReviewedLink(
  { platformId, deploymentId, context }: LaunchLocation,
  { messageType, assignmentAndGrades }: LaunchFacts,
): Promise<LtiResourceLinkDoc | null> {
  if (messageType !== 'LtiSubmissionReviewRequest' || !context || !assignmentAndGrades?.lineitem) return null
  const place = { platform_id: platformId, deployment_id: deploymentId, context: context._id }
  return LtiResourceLinkModel.findOne({ ...place, lineitem_url: assignmentAndGrades.lineitem }).lean()
}

/**
 * Our deep link says which assignment it is for, and says another once the instructor has chosen anew. It is believed for an
 * assignment of the course alone: in a copied course the link still names last term's.
 */
async function followNamedAssignment(
  link: LtiResourceLinkDoc,
  context: LtiContextDoc | null,
  { custom }: LaunchFacts,
): Promise<LtiResourceLinkDoc> {
  const named = customAssignmentId(custom)
  const settled = link.named_assignment_id === named && link.assignment_id !== null
  if (named === null || settled || context?.course_id == null) return link
  const assignment = await findAssignment(named)
  if (assignment?.course_id !== context.course_id) return link
  const set = { assignment_id: named, named_assignment_id: named, course_only: false }
  await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: set })
  await notifyScores(link.assignment_id, named)
  return { ...link, ...set }
}

/** @param assignmentId null for a link that opens the course */
export async function bindResourceLink(link: LtiResourceLinkDoc, assignmentId: number | null): Promise<void> {
  await LtiResourceLinkModel.updateOne(
    { _id: link._id },
    { $set: { assignment_id: assignmentId, course_only: assignmentId === null } },
  )
  await notifyScores(link.assignment_id, assignmentId)
}

/** What was released before the link was tied goes to the LMS too. */
async function notifyScores(...assignmentIds: (number | null)[]): Promise<void> {
  for (const id of new Set(assignmentIds)) if (id !== null) await markScoresChanged(id)
}
