import { randomBytes } from 'node:crypto'
import type { Launch } from '@assay/shared/lti/lti.ts'
import { SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import type { LtiResourceLinkDoc } from '../../../records/lti/resource-link.model.ts'
import type { Services } from '../../../services.ts'
import { hidesNames } from '../../anonymity/hidden-names.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findInstructors } from '../../courses/course.service.ts'
import { isEnrolled } from '../../courses/enrollment-queries.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import type { PlatformStorageEntry } from '../launch-endpoints/launch-dependencies.ts'

export const newSecret = () => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string) => hashOf(secret, 'base64url')

const CODE_TTL_MS = 60_000
export const ENTRY_COOKIE = 'assay_entry'

/** Opens a launch once; only a hash of its code is stored. */
export function createLaunchHandoff(now: Date) {
  const id = randomBytes(16).toString('base64url')
  const code = newSecret()
  const stored = {
    _id: id,
    code_hash: hashSecret(code),
    code_expires_at: new Date(now.getTime() + CODE_TTL_MS),
    entry_hash: null,
    resume_hash: null,
    session_id: null,
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_TTL_MS + SESSION_SECONDS * 1000),
  }
  return { location: `/l/${id}/enter#${code}`, stored }
}

/** The page's files are sent along (`client-files.ts`). */
export function withPage(location: string, page: string): string {
  const url = new URL(location, 'http://here')
  url.searchParams.set('page', page)
  return url.pathname + url.search + url.hash
}

/** A leaked URL opens nothing elsewhere. */
export function createBrowserBoundHandoff(storage: PlatformStorageEntry | null, now: Date) {
  const { location, stored } = createLaunchHandoff(now)
  if (storage) {
    const { secret, ...entry } = storage
    const withStorage = location.replace('#', `?${new URLSearchParams(entry)}#`)
    return { location: withStorage, stored: { ...stored, entry_hash: hashSecret(secret) }, cookie: null }
  }
  const secret = newSecret()
  const cookie = {
    name: ENTRY_COOKIE,
    value: secret,
    paths: [`/api/v1/auth/lti/session/${stored._id}`, `/l/${stored._id}/enter`],
    maxAge: CODE_TTL_MS,
  }
  return { location, stored: { ...stored, entry_hash: hashSecret(secret) }, cookie }
}

/** @throws {AppError} `conflict` in a new window, which would prolong the launch, and for deep linking */
export async function createWindowHandoff(launch: LtiLaunchDoc, { clock }: Services): Promise<string> {
  if (launch.via === 'window') throw new AppError('conflict', 'Assay is already open in its own window.')
  if (launch.deep_link)
    throw new AppError('conflict', 'Make your choice here. Your LMS is waiting for it in this window.')
  const { location, stored } = createLaunchHandoff(clock.now())
  await LtiLaunchModel.create({ ...launch, ...stored, via: 'window' })
  return location
}

type LaunchTarget = Pick<Launch, 'purpose' | 'path' | 'course_id' | 'assignment_id'>

interface LaunchLocation {
  context: LtiContextDoc | null
  link: LtiResourceLinkDoc | null
}

/** Not stored: set-up and publishing change it. */
export async function launchTargetOf(launch: LtiLaunchDoc, { context, link }: LaunchLocation): Promise<LaunchTarget> {
  const assignment = await assignmentOf(link, context)
  const ids = { course_id: context?.course_id ?? null, assignment_id: assignment?._id ?? null }
  const resolved = { launch, link, courseId: ids.course_id, assignment }
  const target = launch.role === 'instructor' ? await instructorTarget(resolved) : await studentTarget(resolved)
  const targetPath = target.purpose === 'open' ? launch.wanted_path : null
  return { ...target, ...ids, path: targetPath ?? target.path }
}

/** A guess, so that the page's files load early. */
export function probablePage(launch: LtiLaunchDoc, { context, link }: LaunchLocation): string {
  const courseId = context?.course_id ?? null
  const assignmentId = link?.assignment_id ?? null
  const isTeacher = launch.role === 'instructor'
  if (context === null) return launch.deep_link ? deepLinkPage.path : isTeacher ? '/dashboard' : '/student/dashboard'
  if (courseId === null) return isTeacher ? setUpPage.path : launch.no_role ? noRolePage.path : waitingPage.path
  if (launch.deep_link) return deepLinkPage.path
  if (launch.wanted_path !== null) return launch.wanted_path
  if (assignmentId === null) return isTeacher ? `/courses/${courseId}` : `/student/courses/${courseId}`
  return isTeacher ? `/assignments/${assignmentId}/submissions` : `/student/assignments/${assignmentId}`
}

/** Null unless it is in the course the link is opened in. */
async function assignmentOf(link: LtiResourceLinkDoc | null, context: LtiContextDoc | null) {
  if (link?.assignment_id == null || context?.course_id == null) return null
  const assignment = await findAssignment(link.assignment_id)
  return assignment?.course_id === context.course_id ? assignment : null
}

interface ResolvedLaunch {
  launch: LtiLaunchDoc
  link: LtiResourceLinkDoc | null
  courseId: number | null
  assignment: AssignmentDoc | null
}

type TargetPage = Pick<LaunchTarget, 'purpose' | 'path'>
const openPage = (path: string): TargetPage => ({ purpose: 'open', path })

async function instructorTarget({ launch, link, courseId, assignment }: ResolvedLaunch): Promise<TargetPage> {
  if (launch.context === null) return launch.deep_link ? deepLinkPage : openPage('/dashboard')
  if (courseId === null) return setUpPage
  if (launch.deep_link) return deepLinkPage
  if (assignment === null) return link && !link.course_only ? setUpPage : openPage(`/courses/${courseId}`)
  const papers = `/assignments/${assignment._id}/submissions`
  // Opening the student's paper would reveal whose it is.
  const student = hidesNames(assignment) ? null : launch.for_user_id
  const theirs = student === null ? [] : ((await submissionsByStudent(assignment._id, [student])).get(student) ?? [])
  return openPage(theirs.length === 0 ? papers : `${papers}/${Math.max(...theirs)}`)
}

const deepLinkPage: TargetPage = { purpose: 'deep_link', path: '/lti/choose' }
const setUpPage: TargetPage = { purpose: 'set_up', path: '/lti/set-up' }
const waitingPage: TargetPage = { purpose: 'waiting', path: '/lti/waiting' }
const noRolePage: TargetPage = { purpose: 'no_role', path: '/lti/no-role' }
const studentViewPage: TargetPage = { purpose: 'student_view', path: '/lti/no-role' }

async function studentTarget({ launch, link, courseId, assignment }: ResolvedLaunch): Promise<TargetPage> {
  const noRole = launch.no_role ? noRolePage : null
  if (launch.context === null) return noRole ?? openPage('/student/dashboard')
  if (courseId === null) return noRole ?? waitingPage
  // A teacher may have enrolled them, or they may teach the course.
  if (!(await isEnrolled({ id: launch.user_id }, courseId))) {
    const teaches = (await findInstructors(courseId))?.instructor_ids.includes(launch.user_id)
    return noRole ?? (teaches ? studentViewPage : openPage('/student/dashboard'))
  }
  if (assignment === null) return !link || link.course_only ? openPage(`/student/courses/${courseId}`) : waitingPage
  return assignment.status === 'published' ? openPage(`/student/assignments/${assignment._id}`) : waitingPage
}
