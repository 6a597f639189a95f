import type { Launch } from '@assay/shared/lti.ts'
import type { AssignmentDoc } from '../../assignments/assignment.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { isEnrolled } from '../../courses/enrollment.service.ts'
import { papersOf } from '../../submissions/owner.ts'
import type { LtiContextDoc } from './context.model.ts'
import type { LtiLaunchDoc } from './launch.model.ts'
import type { LtiLinkDoc } from './link.model.ts'

/** What a launch is for, and the page it goes to. */
export type Target = Pick<Launch, 'purpose' | 'path' | 'course_id' | 'assignment_id'>

interface Where {
  context: LtiContextDoc | null
  link: LtiLinkDoc | null
}

/** Asked anew each time: an instructor's set-up, or publishing, changes it. */
export async function targetOf(launch: LtiLaunchDoc, { context, link }: Where): Promise<Target> {
  const assignment = await assignmentOf(link, context)
  const ids = { course_id: context?.course_id ?? null, assignment_id: assignment?._id ?? null }
  const where = { launch, link, courseId: ids.course_id, assignment }
  const target = launch.role === 'instructor' ? await forInstructor(where) : await forStudent(where)
  const wanted = target.purpose === 'open' ? launch.wanted_path : null
  return { ...target, ...ids, path: wanted ?? target.path }
}

/** The link's, as long as it belongs to the course it is opened in: it may have been deleted, or moved to another course. */
async function assignmentOf(
  link: LtiLinkDoc | null,
  context: LtiContextDoc | null,
): Promise<AssignmentDoc | null> {
  if (link?.assignment_id == null || context?.course_id == null) return null
  const assignment = await findAssignment(link.assignment_id)
  return assignment?.course_id === context.course_id ? assignment : null
}

interface Known {
  launch: LtiLaunchDoc
  link: LtiLinkDoc | null
  courseId: number | null
  assignment: AssignmentDoc | null
}

type Way = Pick<Target, 'purpose' | 'path'>
const open = (path: string): Way => ({ purpose: 'open', path })

async function forInstructor({ launch, link, courseId, assignment }: Known): Promise<Way> {
  // Outside any course of the LMS there is nothing to tie.
  if (launch.context === null) return launch.deep_link ? toChoice : open('/dashboard')
  if (courseId === null) return toSetUp
  if (launch.deep_link) return toChoice
  if (assignment === null) return link && !link.course_only ? toSetUp : open(`/courses/${courseId}`)
  const papers = `/assignments/${assignment._id}/submissions`
  const [paper] = launch.for_user_id === null ? [] : await paperOf(assignment._id, launch.for_user_id)
  return open(paper === undefined ? papers : `${papers}/${paper}`)
}

const toChoice: Way = { purpose: 'deep_link', path: '/lti/choose' }
const toSetUp: Way = { purpose: 'set_up', path: '/lti/set-up' }
const waiting: Way = { purpose: 'waiting', path: '/lti/waiting' }
const noRole: Way = { purpose: 'no_role', path: '/lti/no-role' }

/** Of several the one that came last. */
async function paperOf(assignmentId: number, studentId: number): Promise<number[]> {
  const papers = (await papersOf(assignmentId, [studentId])).get(studentId) ?? []
  return papers.sort((a, b) => b - a)
}

async function forStudent({ launch, link, courseId, assignment }: Known): Promise<Way> {
  const stranger = launch.no_role ? noRole : null
  if (launch.context === null) return stranger ?? open('/student/dashboard')
  if (courseId === null) return stranger ?? waiting
  // Put on the course by a teacher of ours, say, whatever the LMS makes of them; or a student here who teaches it besides.
  if (!(await isEnrolled(launch.user_id, courseId))) return stranger ?? open('/student/dashboard')
  if (assignment === null) return !link || link.course_only ? open(`/student/courses/${courseId}`) : waiting
  return assignment.status === 'published' ? open(`/student/assignments/${assignment._id}`) : waiting
}
