import { isDuplicateKey, nextId } from '../../../lib/db.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import type { LaunchFacts } from '../claims.ts'
import { scoresChanged } from '../scores/scores-changed.ts'
import type { LtiContextDoc } from './context.model.ts'
import { linkHistoryOf, namedAssignmentOf } from './custom-parameters.ts'
import { type LtiLinkDoc, LtiLinkModel } from './link.model.ts'
import { isNews } from './news.ts'

interface Place {
  platformId: number
  deploymentId: string
  context: LtiContextDoc | null
}

/** The link that was opened, as the LMS says anew; null where the message names none. */
export async function keepLink(place: Place, facts: LaunchFacts, now: Date): Promise<LtiLinkDoc | null> {
  const { resourceLink, assignmentAndGrades } = facts
  if (!resourceLink) return findReviewed(place, facts)
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
    const stored = await LtiLinkModel.findOne(where).lean()
    if (!stored || !isNews(said, stored)) return stored
    return LtiLinkModel.findOneAndUpdate(where, { $set: said }, { returnDocument: 'after' }).lean()
  }
  const found = (await known()) ?? (await create(where, said, now)) ?? (await known())
  return found && followName(found, place.context, facts)
}

async function create(
  where: Pick<LtiLinkDoc, 'platform_id' | 'deployment_id' | 'context' | 'resource_link_id'>,
  said: Partial<LtiLinkDoc>,
  now: Date,
): Promise<LtiLinkDoc | null> {
  const fresh = {
    title: null,
    assignment_id: null,
    course_only: false,
    named_assignment_id: null,
    history: [],
  }
  const rest = { lineitem_url: null, created_at: now, launched_at: now }
  const doc: LtiLinkDoc = { _id: await nextId('lti_links'), ...where, ...fresh, ...rest, ...said }
  try {
    await LtiLinkModel.create(doc)
    return doc
  } catch (error) {
    // Opened by two at once for the first time: the index decided.
    if (!isDuplicateKey(error)) throw error
    return null
  }
}

/** A review request may name the line item alone. */
async function findReviewed(
  { platformId, deploymentId, context }: Place,
  { messageType, assignmentAndGrades }: LaunchFacts,
): Promise<LtiLinkDoc | null> {
  if (messageType !== 'LtiSubmissionReviewRequest' || !context || !assignmentAndGrades?.lineitem) return null
  const place = { platform_id: platformId, deployment_id: deploymentId, context: context._id }
  return LtiLinkModel.findOne({ ...place, lineitem_url: assignmentAndGrades.lineitem }).lean()
}

/**
 * Our deep link says which assignment it is for, and says another once the instructor has chosen anew. It is believed for an
 * assignment of the course alone: in a copied course the link still names last term's.
 */
async function followName(
  link: LtiLinkDoc,
  context: LtiContextDoc | null,
  { custom }: LaunchFacts,
): Promise<LtiLinkDoc> {
  const named = namedAssignmentOf(custom)
  const settled = link.named_assignment_id === named && link.assignment_id !== null
  if (named === null || settled || context?.course_id == null) return link
  const assignment = await findAssignment(named)
  if (assignment?.course_id !== context.course_id) return link
  const set = { assignment_id: named, named_assignment_id: named, course_only: false }
  await LtiLinkModel.updateOne({ _id: link._id }, { $set: set })
  await tellScores(link.assignment_id, named)
  return { ...link, ...set }
}

/** @param assignmentId null for a link that opens the course */
export async function tieLink(link: LtiLinkDoc, assignmentId: number | null): Promise<void> {
  await LtiLinkModel.updateOne(
    { _id: link._id },
    { $set: { assignment_id: assignmentId, course_only: assignmentId === null } },
  )
  await tellScores(link.assignment_id, assignmentId)
}

/** What was released before the link was tied goes to the LMS too. */
async function tellScores(...assignmentIds: (number | null)[]): Promise<void> {
  for (const id of new Set(assignmentIds)) if (id !== null) await scoresChanged(id)
}
