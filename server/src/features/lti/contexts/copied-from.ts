import type { SetUp } from '@assay/shared/lti/lti.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { canTeach } from '../../courses/course.policy.ts'
import { coursesById } from '../../courses/course.service.ts'
import type { LaunchDetails } from '../launches/launch.service.ts'

type CopiedFrom = SetUp['copied_from']

/**
 * What this link, or else this course, was copied from, if the instructor teaches it: by the link's history; by the assignment our
 * deep link names, which is copied with it; by the course's history and the link of the same title.
 */
export async function findCopiedFrom(launch: LaunchDetails, actor: Actor): Promise<CopiedFrom> {
  for (const link of await findSourceLinks(launch)) {
    const found = await teachableAssignment(link.assignment_id, actor)
    if (found) return found
  }
  return (await teachableAssignment(launch.launch.named_assignment_id, actor)) ?? findSourceCourse(launch, actor)
}

/** Links that open an assignment, the latest copy first. */
async function findSourceLinks({ platform, link }: LaunchDetails): Promise<LtiResourceLinkDoc[]> {
  if (!link || link.history.length === 0) return []
  const found = await LtiResourceLinkModel.find({
    platform_id: platform._id,
    resource_link_id: { $in: link.history },
    assignment_id: { $ne: null },
  }).lean()
  return sortByIds(found, link.history, (earlier) => earlier.resource_link_id)
}

const sortByIds = <T>(found: T[], ids: string[], idOf: (one: T) => string): T[] =>
  ids.flatMap((id) => found.filter((one) => idOf(one) === id))

async function teachableAssignment(id: number | null, actor: Actor): Promise<CopiedFrom> {
  const assignment = id === null ? null : await findAssignment(id)
  if (!assignment || assignment.course_id === null) return null
  const course = (await coursesById([assignment.course_id])).get(assignment.course_id)
  if (!course || canTeach(actor, course) !== 'yes') return null
  return {
    course_id: course._id,
    course_name: course.name,
    assignment_id: assignment._id,
    title: assignment.title,
  }
}

async function findSourceCourse({ platform, context, link }: LaunchDetails, actor: Actor): Promise<CopiedFrom> {
  if (!context || context.history.length === 0) return null
  const found = await LtiContextModel.find({
    platform_id: platform._id,
    context_id: { $in: context.history },
    course_id: { $nin: [null, context.course_id] },
  }).lean()
  const earlier = sortByIds(found, context.history, (one) => one.context_id)
  const courses = await coursesById(earlier.flatMap(({ course_id }) => course_id ?? []))
  for (const { _id, course_id } of earlier) {
    const course = course_id === null ? undefined : courses.get(course_id)
    if (!course || canTeach(actor, course) !== 'yes') continue
    return (
      (await teachableAssignment(await assignmentOfSameTitle(_id, link), actor)) ?? {
        course_id: course._id,
        course_name: course.name,
        assignment_id: null,
        title: null,
      }
    )
  }
  return null
}

/** The assignment of the link with the same title, if there is just one. */
async function assignmentOfSameTitle(context: number, link: LtiResourceLinkDoc | null): Promise<number | null> {
  if (!link?.title) return null
  const same = await LtiResourceLinkModel.find({ context, title: link.title, assignment_id: { $ne: null } })
    .limit(2)
    .lean()
  return same.length === 1 ? (same[0]?.assignment_id ?? null) : null
}
