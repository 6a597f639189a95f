import { isDeepStrictEqual } from 'node:util'
import { nextId, unlessDuplicate } from '../../../lib/database/database.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { courseExists } from '../../courses/course.service.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { platformNamesById } from '../platforms/platform.service.ts'

/** The LMS substitutes variables that begin with `$`, and returns unknown ones unchanged. */
export const registeredCustomParameters = {
  context_id_history: '$Context.id.history',
  resource_link_id_history: '$ResourceLink.id.history',
} as const

export const deepLinkCustomParameters = (assignmentId: number) => ({ assignment_id: String(assignmentId) })

/** The names we register, common ones, and the variable's own (Blackboard, D2L). */
const contextHistoryNames = ['context_id_history', 'context_history', 'Context.id.history']
const linkHistoryNames = ['resource_link_id_history', 'link_history', 'ResourceLink.id.history']

type Custom = LaunchFacts['custom']

function firstSubstituted(custom: Custom, names: readonly string[]): string | null {
  const values = names.map((name) => custom[name]?.trim())
  return values.find((value) => value !== undefined && value !== '' && !value.startsWith('$')) ?? null
}

/** Newest first, comma-separated and URL-encoded (LTI 1.3 core, appendix B). */
function historyIds(custom: Custom, names: readonly string[]): string[] {
  const listed = firstSubstituted(custom, names)?.split(',') ?? []
  return listed
    .map(decoded)
    .filter((id) => id !== '' && id.length <= 255)
    .slice(0, 50)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}

export const contextHistoryOf = (custom: Custom) => historyIds(custom, contextHistoryNames)
export const linkHistoryOf = (custom: Custom) => historyIds(custom, linkHistoryNames)

/** Not trusted: anybody who can edit the link can change the number. */
export function customAssignmentId(custom: Custom): number | null {
  const named = firstSubstituted(custom, ['assignment_id'])
  return named !== null && /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null
}

export const customPath = (custom: Custom) => firstSubstituted(custom, ['path'])

type Deployment = Pick<LtiContextDoc, 'platform_id' | 'deployment_id'>
type Place = Deployment & { context: LtiContextDoc | null }

export async function upsertResourceLink({ context, ...deployment }: Place, facts: LaunchFacts, now: Date) {
  const { resourceLink, assignmentAndGrades } = facts
  if (!resourceLink) return findReviewedLink(deployment, context, facts)
  const history = linkHistoryOf(facts.custom)
  const claimed = {
    ...(resourceLink.title ? { title: resourceLink.title } : {}),
    ...(history.length > 0 ? { history } : {}),
    // The LMS omits it once a second line item is bound to the link, so the stored one stays.
    ...(assignmentAndGrades?.lineitem ? { lineitem_url: assignmentAndGrades.lineitem } : {}),
    launched_at: now,
  }
  const key = { ...deployment, context: context?._id ?? null, resource_link_id: resourceLink.id }
  const loadUpdated = async () => {
    const stored = await LtiResourceLinkModel.findOne(key).lean()
    if (!stored || !needsUpdate(claimed, stored)) return stored
    return LtiResourceLinkModel.findOneAndUpdate(key, { $set: claimed }).lean()
  }
  const create = async () => {
    const fresh = { title: null, assignment_id: null, course_only: false, named_assignment_id: null, history: [] }
    const rest = { lineitem_url: null, created_at: now, launched_at: now }
    const doc: LtiResourceLinkDoc = { _id: await nextId('lti_links'), ...key, ...fresh, ...rest, ...claimed }
    return (await unlessDuplicate(LtiResourceLinkModel.create(doc))) && doc
  }
  const found = (await loadUpdated()) ?? (await create()) ?? (await loadUpdated())
  if (found) await reattach(found, facts, now)
  return found && followNamedAssignment(found, context, facts)
}

/** In ms, before a line item the LMS has refused is asked for again. */
const RETRY_GONE_MS = 60 * 60 * 1000

async function reattach(link: LtiResourceLinkDoc, { assignmentAndGrades }: LaunchFacts, now: Date): Promise<void> {
  const { gone, detached_at } = link
  if (!gone && !detached_at) return
  if (!detached_at && !assignmentAndGrades?.lineitem && gone && now.getTime() - gone.at.getTime() < RETRY_GONE_MS)
    return
  const set = { gone: null, detached_at: null }
  await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: set })
  Object.assign(link, set)
  await notifyScores(link.assignment_id)
}

/** A review request may name only the line item. */
async function findReviewedLink(
  deployment: Deployment,
  context: LtiContextDoc | null,
  { messageType, assignmentAndGrades }: LaunchFacts,
): Promise<LtiResourceLinkDoc | null> {
  if (messageType !== 'LtiSubmissionReviewRequest' || !context || !assignmentAndGrades?.lineitem) return null
  const named = { context: context._id, lineitem_url: assignmentAndGrades.lineitem }
  return LtiResourceLinkModel.findOne({ ...deployment, ...named }).lean()
}

/** In a copied course the deep link still names last term's assignment. */
async function followNamedAssignment(link: LtiResourceLinkDoc, context: LtiContextDoc | null, { custom }: LaunchFacts) {
  const named = customAssignmentId(custom)
  const unchanged = link.named_assignment_id === named && link.assignment_id !== null
  if (named === null || unchanged || context?.course_id == null) return link
  const assignment = await findAssignment(named)
  if (assignment?.course_id !== context.course_id) return link
  const set = { assignment_id: named, named_assignment_id: named, course_only: false }
  await LtiResourceLinkModel.updateOne({ _id: link._id }, { $set: set })
  await notifyScores(link.assignment_id, named)
  return { ...link, ...set }
}

export async function bindResourceLink(link: LtiResourceLinkDoc, assignmentId: number | null): Promise<void> {
  await LtiResourceLinkModel.updateOne(
    { _id: link._id },
    { $set: { assignment_id: assignmentId, course_only: assignmentId === null } },
  )
  await notifyScores(link.assignment_id, assignmentId)
}

async function notifyScores(...assignmentIds: (number | null)[]): Promise<void> {
  for (const id of new Set(assignmentIds)) if (id !== null) await markScoresChanged(id)
}

/** Null for a launch outside any course. */
export async function upsertContext(
  deployment: Deployment,
  { context, custom, namesAndRoles, groups, assignmentAndGrades }: LaunchFacts,
  now: Date,
): Promise<LtiContextDoc | null> {
  if (!context) return null
  const history = contextHistoryOf(custom)
  const claimed = {
    ...(context.title ? { title: context.title } : {}),
    ...(context.label ? { label: context.label } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(namesAndRoles ? { memberships_url: namesAndRoles.context_memberships_url } : {}),
    ...(groups ? { groups_url: groups.context_groups_url } : {}),
    ...(assignmentAndGrades ? { ags_scopes: assignmentAndGrades.scope } : {}),
    ...(assignmentAndGrades?.lineitems ? { lineitems_url: assignmentAndGrades.lineitems } : {}),
    launched_at: now,
  }
  const key = { ...deployment, context_id: context.id }
  const loadUpdated = async () => {
    const stored = await LtiContextModel.findOne(key).lean()
    if (!stored || !needsUpdate(claimed, stored)) return stored
    return LtiContextModel.findOneAndUpdate(key, { $set: claimed }).lean()
  }
  const found = await loadUpdated()
  if (found) return unbindIfCourseDeleted(found)
  const fresh = { course_id: null, title: null, label: null, history: [], memberships_url: null }
  const services = { lineitems_url: null, ags_scopes: [], roster: null, created_at: now, launched_at: now }
  const doc: LtiContextDoc = { _id: await nextId('lti_contexts'), ...key, ...fresh, ...services, ...claimed }
  return (await unlessDuplicate(LtiContextModel.create(doc))) ? doc : loadUpdated()
}

export async function unbindIfCourseDeleted(context: LtiContextDoc): Promise<LtiContextDoc> {
  const { _id, course_id } = context
  if (course_id === null || (await courseExists(course_id))) return context
  await LtiContextModel.updateOne({ _id, course_id }, { $set: { course_id: null } })
  return { ...context, course_id: null }
}

export async function unbindCourses(courseIds: number[]): Promise<number> {
  const bound = { course_id: { $in: courseIds } }
  return (await LtiContextModel.updateMany(bound, { $set: { course_id: null, roster: null } })).modifiedCount
}

export function contextsOfCourse(courseId: number): Promise<LtiContextDoc[]> {
  return LtiContextModel.find({ course_id: courseId }).lean()
}

export async function lmsNamesOfCourse(courseId: number): Promise<string[]> {
  const names = await platformNamesById((await contextsOfCourse(courseId)).map(({ platform_id }) => platform_id))
  return [...new Set(names.values())]
}

export async function bindContext(context: LtiContextDoc, courseId: number): Promise<boolean> {
  const bound = await LtiContextModel.updateOne(
    { _id: context._id, course_id: context.course_id },
    { $set: { course_id: courseId } },
  )
  return bound.matchedCount > 0
}

const LAUNCHED_AT_PRECISION_MS = 60 * 60 * 1000

/** A class opening its quiz would write the same facts thirty times. */
function needsUpdate<T extends { launched_at: Date }>(
  { launched_at: now, ...claimed }: Partial<T> & { launched_at: Date },
  stored: T,
): boolean {
  if (now.getTime() - stored.launched_at.getTime() >= LAUNCHED_AT_PRECISION_MS) return true
  return !isDeepStrictEqual({ ...stored, ...claimed }, stored)
}
