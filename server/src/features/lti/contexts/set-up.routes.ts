import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { getSetUp, type SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError, invalidField, notFound } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import type { Services } from '../../../services.ts'
import {
  assignmentsOfCourse,
  canManageAssignment,
  countAssignments,
  findAssignment,
  requireAssignment,
} from '../../assignments/assignment.service.ts'
import { copyAssignment } from '../../assignments/create-assignment.ts'
import {
  canCreateCourse,
  canTeach,
  coursesById,
  createCourse,
  discardNewCourse,
  markCreatedFromLms,
  requireCourse,
  taughtCourses,
} from '../../courses/course.service.ts'
import { requireUser } from '../../users/user.service.ts'
import { type LaunchDetails, presentLaunch, requireLaunch } from '../launches/launch.service.ts'
import { queueRosterSync } from '../roster/roster-sync.ts'
import { reconcileEnrolments } from './member.service.ts'
import { bindContext, bindResourceLink } from './resource-link.service.ts'

export function setUpRoutes(router: Router, services: Services): void {
  handle(router, getSetUp, async ({ actor }) => {
    const found = await requireLaunch(actor)
    allow('yes') // An instructor by this launch, and the options are their own.
    return setUpOptionsFor(found, actor)
  })

  handle(router, setUpLaunch, async ({ body, actor }) => {
    await setUp(await requireLaunch(actor), body, actor, services)
    return presentLaunch(await requireLaunch(actor), await requireUser(actor.id))
  })
}

type SetUpBody = BodyOf<typeof setUpLaunch>

async function setUpOptionsFor(details: LaunchDetails, actor: Actor): Promise<SetUp> {
  const { launch, context, link } = details
  const courses = await taughtCourses(actor)
  const counted = await Promise.all(
    courses.map(async ({ _id, name }) => ({
      id: _id,
      name,
      assignments: await countAssignments(_id, { publishedOnly: false }),
    })),
  )
  const courseId = context?.course_id ?? null
  const assignments = courseId === null ? [] : await assignmentsOfCourse(courseId, { publishedOnly: false })
  return {
    context_title: context?.title ?? null,
    link_title: link?.title ?? null,
    has_link: link !== null && launch.deep_link === null,
    course_id: courseId,
    courses: counted,
    assignments: assignments.map(({ _id: id, title, status }) => ({ id, title, status })),
    copied_from: await findCopiedFrom(details, actor),
  }
}

/** Checks all rights before any change. */
async function setUp({ launch, context, link }: LaunchDetails, choice: SetUpBody, actor: Actor, services: Services) {
  if (!context) throw notFound('This link does not belong to a course in the LMS.')
  const now = services.clock.now()
  const existingCourse = await requestedCourse(context, choice, actor)
  const source = await requestedAssignment(link, choice, existingCourse, actor)
  const course = existingCourse ?? (await createCourse(newCourse(choice), actor, now))
  if (context.course_id === null) await bindCourse(context, course, existingCourse === null, actor, now)
  if (link && launch.deep_link === null && choice.assignment.kind !== 'later') {
    const copied = choice.assignment.kind === 'copy' && source
    const assignment = copied ? await copyAssignment(copied, course._id, actor, now) : source
    await changeLinkAssignment(link, assignment, actor, now)
  }
  const members = await LtiMemberModel.distinct('user_id', { context: context._id })
  await reconcileEnrolments(course._id, members, actor, now)
  if (context.course_id === null) await queueRosterSync(context._id, services)
}

async function requestedCourse(context: LtiContextDoc, { course }: SetUpBody, actor: Actor): Promise<CourseDoc | null> {
  if (context.course_id !== null) {
    // Before the rights check: whoever lost the race may not teach the course yet.
    if (course && !(course.kind === 'existing' && course.course_id === context.course_id)) throw alreadySetUpError()
    const bound = await requireCourse(context.course_id)
    allow(await canTeach(actor, bound))
    return bound
  }
  if (!course) throw invalidField('course', 'Choose a course.', 'set_up')
  if (course.kind === 'new') {
    allow(canCreateCourse(actor))
    return null
  }
  const existing = await requireCourse(course.course_id)
  allow(await canTeach(actor, existing))
  return existing
}

async function requestedAssignment(
  link: LtiResourceLinkDoc | null,
  { assignment: requested }: SetUpBody,
  course: CourseDoc | null,
  actor: Actor,
): Promise<AssignmentDoc | null> {
  if (requested.kind === 'none' || requested.kind === 'later') return null
  if (!link) throw invalidField('assignment', 'This launch has no link that can open an assignment.', 'set_up')
  const assignment = await requireAssignment(requested.assignment_id)
  allow(await canManageAssignment(actor, assignment))
  if (requested.kind === 'existing' && assignment.course_id !== course?._id)
    throw invalidField('assignment', 'This assignment belongs to another course. Copy it instead.', 'set_up')
  return assignment
}

const alreadySetUpError = () =>
  new AppError('conflict', 'Someone else has already set up this course. Reload the page.')

function newCourse({ course }: SetUpBody) {
  if (course?.kind !== 'new') throw new Error('a new course needs a name')
  return { name: course.name, description: null, course_code: null, time_zone: course.time_zone }
}

async function bindCourse(context: LtiContextDoc, course: CourseDoc, made: boolean, actor: Actor, now: Date) {
  if (!(await bindContext(context, course._id))) {
    if (made) await discardNewCourse(course._id)
    throw alreadySetUpError()
  }
  if (made) await markCreatedFromLms(course._id, actor.id)
  const subject = { course_id: course._id, platform_id: context.platform_id }
  await recordAudit(actor, 'course.tied_to_lms', subject, now, {
    after: { lms_course: context.title ?? context.context_id },
  })
}

async function changeLinkAssignment(
  link: LtiResourceLinkDoc,
  assignment: AssignmentDoc | null,
  actor: Actor,
  now: Date,
): Promise<void> {
  await bindResourceLink(link, assignment?._id ?? null)
  if (!assignment || assignment._id === link.assignment_id) return
  const subject = { assignment_id: assignment._id, platform_id: link.platform_id }
  const change = { before: { assignment: link.assignment_id }, after: { assignment: assignment._id, link: link.title } }
  await recordAudit(actor, 'assignment.tied_to_lms', subject, now, change)
}

type CopiedFrom = SetUp['copied_from']

/** Searches the link's history, the deep link, then the course's history and title, in courses they teach. */
async function findCopiedFrom(launch: LaunchDetails, actor: Actor): Promise<CopiedFrom> {
  for (const link of await findSourceLinks(launch)) {
    const found = await teachableAssignment(link.assignment_id, actor)
    if (found) return found
  }
  return (await teachableAssignment(launch.launch.named_assignment_id, actor)) ?? findSourceCourse(launch, actor)
}

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
  if (!course || (await canTeach(actor, course)) !== 'yes') return null
  return { course_id: course._id, course_name: course.name, assignment_id: assignment._id, title: assignment.title }
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
    if (!course || (await canTeach(actor, course)) !== 'yes') continue
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

async function assignmentOfSameTitle(context: number, link: LtiResourceLinkDoc | null): Promise<number | null> {
  if (!link?.title) return null
  const same = await LtiResourceLinkModel.find({ context, title: link.title, assignment_id: { $ne: null } })
    .limit(2)
    .lean()
  return same.length === 1 ? (same[0]?.assignment_id ?? null) : null
}
