import type { LinkChoice } from '@assay/shared/lti-deep-linking.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { Actor } from '../../../lib/handle.ts'
import type { CourseDoc } from '../../courses/course.model.ts'
import { coursesById } from '../../courses/course.service.ts'
import type { DeepLinkSettings } from '../launches/launch.model.ts'
import { type LaunchAtHand, requireLaunch } from '../launches/launch.service.ts'
import { LtiAnswerModel } from './answer.model.ts'
import { LINK_TYPE } from './content-items.ts'
import { presentLinkable } from './linkable-assignments.ts'

/** A launch that wants assignments to link to, and where it stands. */
export interface DeepLink extends LaunchAtHand {
  settings: DeepLinkSettings
  /** Null until the LMS's course is tied to one of ours. */
  course: CourseDoc | null
}

/**
 * The deep link the caller's session comes from.
 * @throws {AppError} 404 for any other session
 */
export async function requireDeepLink(actor: Actor): Promise<DeepLink> {
  const at = await requireLaunch(actor)
  const deepLink = await deepLinkOf(at)
  if (!deepLink)
    throw notFound('Assignments are added from the LMS: open Assay there while adding content to a course.')
  return deepLink
}

/** Null for a launch of another kind, or of somebody who does not teach there. */
export async function deepLinkOf(at: LaunchAtHand): Promise<DeepLink | null> {
  const { message, role, deep_link: settings } = at.launch
  if (message !== 'deep_link' || role !== 'instructor' || !settings) return null
  const courseId = at.context?.course_id ?? null
  const course = courseId === null ? null : ((await coursesById([courseId])).get(courseId) ?? null)
  return { ...at, settings, course }
}

export async function presentChoice({
  launch,
  settings,
  platform,
  context,
  course,
}: DeepLink): Promise<LinkChoice> {
  const answer = await LtiAnswerModel.findById(launch._id).lean()
  return {
    platform_name: platform.name,
    context_title: context?.title ?? context?.label ?? null,
    in_course: context !== null,
    course: course && { id: course._id, name: course.name },
    accepts: {
      links: takesLinks(settings),
      several: settings.accept_multiple,
      line_items: settings.accept_lineitem,
    },
    answered: answer?.sent_at != null,
    assignments: course && context ? await presentLinkable(course._id, context._id) : [],
  }
}

export const takesLinks = ({ accept_types }: DeepLinkSettings) => accept_types.includes(LINK_TYPE)
