import { setUpLaunch } from '@assay/shared/lti/lti.ts'
import { listLmsCourses, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import type { Course } from '../../../tests/fake-lms/data/lms-data.ts'
import type { LtiContextDoc } from '../records/lti/context.model.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiMemberModel } from '../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../records/lti/platform.model.ts'
import { type UserDoc, UserModel } from '../records/people/user.model.ts'
import { type Api, type Caller, createTestApi, type Person } from './api.ts'
import { buildAssignment, buildCourse, type UploadFile } from './build-course.ts'
import { linkCourse } from './lti-records.ts'
import { type LaunchedCaller, type LaunchingLms, launchAndSignIn, type RegisteredLms } from './registered-lms.ts'

export interface LinkedCourse {
  api: Api
  courseId: number
  teacher: Caller
  teacherId: number
  instructor: Person
  context: LtiContextDoc
}

export async function buildLinkedCourse(
  { lms, platform, server }: RegisteredLms,
  course: Course,
  more: Partial<LtiContextDoc> = {},
): Promise<LinkedCourse> {
  const api = createTestApi(server)
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const context = await linkCourse(lms, platform, course, courseId, more)
  return { api, courseId, teacher: api.as(instructor), teacherId: instructor.id, instructor, context }
}

/** A course of the LMS with a link, set up by its teacher as a course of ours. */
export async function setUpCourse(school: LaunchingLms, students = 0) {
  const room = school.lms.classOf(students)
  const link = school.lms.addLink(room.course, { deployment: school.deployment, title: 'Quiz 1', scoreMaximum: 20 })
  const teacherLaunch = await launchAndSignIn(school, { as: room.teacher, link })
  const course = { kind: 'new' as const, name: room.course.title }
  const set = await teacherLaunch.caller.send(setUpLaunch, { body: { course, assignment: { kind: 'none' } } })
  const courseId = set.body.course_id ?? 0
  // The roster is synced: what it lists is stored before anybody launches.
  await waitForSync({ courseId, teacher: teacherLaunch.caller })
  return { ...room, link, courseId, teacherLaunch }
}

/** An assignment of the teacher's, which their link opens from now on. */
export async function buildLaunchedAssignment(
  api: Api,
  { teacherLaunch, courseId }: { teacherLaunch: LaunchedCaller; courseId: number },
  papers: UploadFile[] = [],
) {
  const asTeacher = { ...api, as: () => teacherLaunch.caller }
  const instructor = { id: teacherLaunch.userId, username: '', password: '' }
  const built = await buildAssignment(asTeacher, { instructor, courseId }, papers)
  const assignment = { kind: 'existing' as const, assignment_id: built.assignmentId }
  await teacherLaunch.caller.send(setUpLaunch, { body: { assignment } })
  return { ...built, asTeacher, instructor }
}

type LinkedCourseRef = Pick<LinkedCourse, 'courseId' | 'teacher'>

/** `meanwhile` is called again and again until the sync is over. */
export async function waitForSync({ courseId, teacher }: LinkedCourseRef, meanwhile = async () => {}) {
  for (;;) {
    const { body } = await teacher.send(listLmsCourses, { params: { courseId } })
    if (!body.some(({ report }) => report?.state === 'running')) return body
    await meanwhile()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function syncRoster(
  tied: LinkedCourseRef,
  body: { suspend_missing?: boolean } = {},
  meanwhile = async () => {},
) {
  const started = await tied.teacher.send(syncLmsRoster, { params: { courseId: tied.courseId }, body })
  if (started.status !== 202) throw new Error(`not synced: ${started.text}`)
  const [lmsCourse] = await waitForSync(tied, meanwhile)
  if (!lmsCourse?.report) throw new Error('the sync has no report')
  return lmsCourse.report
}

export async function findAccount(
  { identity_issuer: issuer }: LtiPlatformDoc,
  person: { id: string },
): Promise<UserDoc> {
  const identity = await LtiIdentityModel.findOne({ issuer, sub: person.id }).lean()
  const user = await UserModel.findById(identity?.user_id).lean()
  if (!user) throw new Error('this person of the LMS has no account')
  return user
}

export const findMember = (context: { _id: number }, person: { id: string }) =>
  LtiMemberModel.findById(`${context._id}/${person.id}`).lean()

export const reloadContext = (context: { _id: number }) => LtiContextModel.findById(context._id).lean()
