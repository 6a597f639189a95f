import type { LinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import { LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import type { DeepLinkSettings } from '../../../records/lti/launch.model.ts'
import { coursesById } from '../../courses/course.service.ts'
import { type LaunchDetails, requireLaunch } from '../launches/launch.service.ts'
import { RESOURCE_LINK_TYPE } from './content-items.ts'
import { presentLinkableAssignments } from './linkable-assignments.ts'

/** A launch that wants assignments to link to, and its state. */
export interface DeepLinkRequest extends LaunchDetails {
  settings: DeepLinkSettings
  /** Null until the LMS's course is linked to one of ours. */
  course: CourseDoc | null
}

/**
 * The deep link the caller's session comes from.
 * @throws {AppError} 404 for any other session
 */
export async function requireDeepLinkRequest(actor: Actor): Promise<DeepLinkRequest> {
  const at = await requireLaunch(actor)
  const deepLink = await deepLinkRequestOf(at)
  if (!deepLink)
    throw notFound('Assignments are added from the LMS: open Assay there while adding content to a course.')
  return deepLink
}

/** Null for a launch of another kind, or of somebody who does not teach there. */
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
    accepts: {
      links: acceptsLinks(settings),
      several: settings.accept_multiple,
      line_items: settings.accept_lineitem,
    },
    answered: answer?.sent_at != null,
    assignments: course && context ? await presentLinkableAssignments(course._id, context._id) : [],
  }
}

export const acceptsLinks = ({ accept_types }: DeepLinkSettings) => accept_types.includes(RESOURCE_LINK_TYPE)
