import { listLmsCourses, syncLmsRoster } from '@assay/shared/lti-roster.ts'
import type { Course } from '../../../tests/fake-lms/world.ts'
import type { LtiContextDoc } from '../features/lti/launches/context.model.ts'
import { LtiContextModel } from '../features/lti/launches/context.model.ts'
import { LtiIdentityModel } from '../features/lti/launches/identity.model.ts'
import { LtiMemberModel } from '../features/lti/roster/member.model.ts'
import { type UserDoc, UserModel } from '../features/users/user.model.ts'
import { type Api, apiOf, type Caller, type Person } from './api.ts'
import { buildCourse } from './build.ts'
import { tieCourse } from './lms.ts'
import type { School } from './lms-launch.ts'

export interface TiedCourse {
  api: Api
  courseId: number
  /** The course's own teacher, signed in by password. */
  teacher: Caller
  teacherId: number
  instructor: Person
  context: LtiContextDoc
}

/** A course of ours with a teacher of our own, tied to a course of the LMS. */
export async function tiedCourse(
  { lms, platform, server }: School,
  course: Course,
  more: Partial<LtiContextDoc> = {},
): Promise<TiedCourse> {
  const api = apiOf(server)
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const context = await tieCourse(lms, platform, course, courseId, more)
  return { api, courseId, teacher: api.as(instructor), teacherId: instructor.id, instructor, context }
}

type Tied = Pick<TiedCourse, 'courseId' | 'teacher'>

/** The LMS courses of a course once none of them is being synced. */
export async function syncEnded({ courseId, teacher }: Tied) {
  for (;;) {
    const { body } = await teacher.send(listLmsCourses, { params: { courseId } })
    if (!body.some(({ report }) => report?.state === 'running')) return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A sync by the button, to its end: its report. */
export async function synced(tied: Tied, body: { suspend_missing?: boolean } = {}) {
  const asked = await tied.teacher.send(syncLmsRoster, { params: { courseId: tied.courseId }, body })
  if (asked.status !== 202) throw new Error(`not synced: ${asked.text}`)
  const [lmsCourse] = await syncEnded(tied)
  if (!lmsCourse?.report) throw new Error('a sync leaves a report')
  return lmsCourse.report
}

/** The account of somebody of the LMS. */
export async function accountFor(issuer: string, person: { id: string }): Promise<UserDoc> {
  const identity = await LtiIdentityModel.findOne({ issuer, sub: person.id }).lean()
  const user = await UserModel.findById(identity?.user_id).lean()
  if (!user) throw new Error('nobody of the LMS has this account')
  return user
}

export const memberOf = (context: { _id: number }, person: { id: string }) =>
  LtiMemberModel.findById(`${context._id}/${person.id}`).lean()

export const contextNow = (context: { _id: number }) => LtiContextModel.findById(context._id).lean()
