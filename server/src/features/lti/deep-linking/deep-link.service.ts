import type { LinkableAssignment, LinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import { LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import type { DeepLinkSettings } from '../../../records/lti/launch.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { datesOf } from '../../assignments/assignment-dates.ts'
import { type AssignmentWithPoints, findAssignmentsWithPoints } from '../../assignments/assignment-queries.ts'
import { coursesById } from '../../courses/course.service.ts'
import { deepLinkCustomParameters } from '../contexts/resource-link.service.ts'
import { type LaunchDetails, requireLaunch } from '../launches/launch.service.ts'

/** Deep linking 2.0, 3.2. */
const RESOURCE_LINK_TYPE = 'ltiResourceLink'
/** For an assignment without a rubric. */
const DEFAULT_POINTS = 100
/** In pixels, wide enough for the paper beside its grade. */
const FRAME_SIZE = { width: 1100, height: 800 }

/** Deep linking 2.0, 3.2.3. */
export function contentItemOf(
  assignment: AssignmentWithPoints,
  settings: Pick<DeepLinkSettings, 'accept_lineitem' | 'document_targets'>,
  publicUrl: string,
) {
  return {
    type: RESOURCE_LINK_TYPE,
    title: assignment.title,
    url: `${publicUrl.replace(/\/+$/, '')}/lti/launch`,
    custom: deepLinkCustomParameters(assignment._id),
    ...presentationOf(settings.document_targets ?? []),
    ...(settings.accept_lineitem ? { lineItem: lineItemFor(assignment) } : {}),
    ...periodsOf(assignment),
  }
}

/** The LMS's default stays where frames are accepted. */
function presentationOf(targets: string[]) {
  return targets.includes('window') && !targets.includes('iframe')
    ? { window: { targetName: '_blank' } }
    : { iframe: FRAME_SIZE }
}

function lineItemFor({ _id, title, rubric }: AssignmentWithPoints) {
  return {
    label: title,
    scoreMaximum: (rubric && totalPoints(rubric)) || DEFAULT_POINTS,
    ...lineItemIdentifiers(_id),
    submissionReview: { reviewableStatus: ['InProgress', 'Submitted', 'Completed'], label: 'Open the paper in Assay' },
  }
}

export const lineItemIdentifiers = (assignmentId: number) => ({
  resourceId: `assay-assignment-${assignmentId}`,
  tag: 'assay',
})

/** LMSs show the end of `submission` as due date; an end of `available` would hide the feedback. */
function periodsOf(assignment: Pick<AssignmentDoc, 'available_at' | 'due_at' | 'closes_at' | 'late_rule'>) {
  const { available_at, due_at, closes_at } = datesOf(assignment)
  const start = available_at ? { startDateTime: available_at.toISOString() } : {}
  const end = due_at ?? closes_at
  const submission = { ...start, ...(end ? { endDateTime: end.toISOString() } : {}) }
  return {
    ...(available_at ? { available: start } : {}),
    ...(Object.keys(submission).length > 0 ? { submission } : {}),
  }
}

export interface DeepLinkRequest extends LaunchDetails {
  settings: DeepLinkSettings
  course: CourseDoc | null
}

/** @throws {AppError} 404 for a session from any other launch */
export async function requireDeepLinkRequest(actor: Actor): Promise<DeepLinkRequest> {
  const at = await requireLaunch(actor)
  const deepLink = await deepLinkRequestOf(at)
  if (!deepLink)
    throw notFound('Assignments are added from the LMS: open Assay there while adding content to a course.')
  return deepLink
}

/** Null for another kind of launch, or by somebody who does not teach there. */
export async function deepLinkRequestOf(at: LaunchDetails): Promise<DeepLinkRequest | null> {
  const { message, role, deep_link: settings } = at.launch
  if (message !== 'deep_link' || role !== 'instructor' || !settings) return null
  const courseId = at.context?.course_id ?? null
  const course = courseId === null ? null : ((await coursesById([courseId])).get(courseId) ?? null)
  return { ...at, settings, course }
}

export async function presentLinkChoice({
  launch,
  settings,
  platform,
  context,
  course,
}: DeepLinkRequest): Promise<LinkChoice> {
  const answer = await LtiDeepLinkResponseModel.findById(launch._id).lean()
  return {
    platform_name: platform.name,
    context_title: context?.title ?? context?.label ?? null,
    in_course: context !== null,
    course: course && { id: course._id, name: course.name },
    accepts: { links: acceptsLinks(settings), several: settings.accept_multiple, line_items: settings.accept_lineitem },
    answered: answer?.sent_at != null,
    assignments: course && context ? await presentLinkableAssignments(course._id, context._id) : [],
  }
}

export const acceptsLinks = ({ accept_types }: DeepLinkSettings) => accept_types.includes(RESOURCE_LINK_TYPE)

async function presentLinkableAssignments(courseId: number, contextId: number): Promise<LinkableAssignment[]> {
  const assignments = await findAssignmentsWithPoints(courseId)
  const ids = assignments.map(({ _id }) => _id)
  const [links, answers] = await Promise.all([
    LtiResourceLinkModel.find(
      { assignment_id: { $in: ids }, context: contextId, gone: null, detached_at: null },
      { assignment_id: 1 },
    ).lean(),
    LtiDeepLinkResponseModel.find({ context: contextId, sent_at: { $ne: null } }).lean(),
  ])
  const linked = new Set(links.map(({ assignment_id }) => assignment_id))
  const added = new Map<number, Date>()
  for (const { assignment_ids, sent_at } of answers) {
    for (const id of assignment_ids) {
      const before = added.get(id)
      if (sent_at && (!before || sent_at > before)) added.set(id, sent_at)
    }
  }
  return assignments.map(({ _id, title, status, rubric, due_at, created_at }) => ({
    id: _id,
    title,
    status,
    points: (rubric && totalPoints(rubric)) || null,
    due_at: due_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    linked: linked.has(_id),
    added_at: added.get(_id)?.toISOString() ?? null,
  }))
}
