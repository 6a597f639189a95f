import { getMe } from '@assay/shared/auth.ts'
import { setUpLaunch } from '@assay/shared/lti/lti.ts'
import { describe, expect, it } from 'vitest'
import { CLAIM, type Claims } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import {
  launchAndSignIn,
  type RegisteredLms,
  setUpCourse,
  syncRoster,
  useRegisteredLms,
  waitForSync,
} from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const moodle = useRegisteredLms(server)
const canvas = useRegisteredLms(server, { kind: 'canvas' })

const INSTRUCTOR = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'
const ROSTER_CLAIM = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'

/** Moodle sends its site administrators' roles as instructor of any course (`lti_get_ims_role`). */
function mutate(claims: Claims) {
  const roles = claims[`${CLAIM}/roles`]
  claims[`${CLAIM}/roles`] = [...new Set([INSTRUCTOR, ...(Array.isArray(roles) ? roles : [])])]
}

async function readyCourse(school: RegisteredLms) {
  const { teacherLaunch, ...room } = await setUpCourse(school, 1)
  return { ...room, lms: school.lms, teacher: teacherLaunch }
}

const answerWith = (body: object) => moodle().lms.fail('members', { status: 200, body, times: 20 })

const teaches = async (courseId: number) => (await CourseModel.findById(courseId).lean())?.instructor_ids ?? []

describe('an administrator of Moodle, whom it calls an instructor of every course', () => {
  it('does not become one by looking in, and is told why', async () => {
    const { lms, course, link, courseId, teacher } = await readyCourse(moodle())
    const admin = lms.addAdmin()
    const { launch, caller, userId } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    expect(launch).toMatchObject({ role: 'student', purpose: 'no_role', lms_administrator: 'not_listed' })
    expect((await caller.send(getMe)).body.role).toBe('student')
    expect((await UserModel.findById(userId).lean())?.role).toBe('student')
    expect(await teaches(courseId)).toEqual([teacher.userId])
    expect(await LtiMemberModel.findOne({ sub: admin.id }).lean()).toMatchObject({ role: null })
    const deepLink = { as: admin, course, deployment: link.deployment, message: 'LtiDeepLinkingRequest' as const }
    const linking = await launchAndSignIn(moodle(), { ...deepLink, mutate })
    expect(linking.launch).toMatchObject({ role: 'student', purpose: 'no_role' })
  })

  it('is one where they are enrolled as a teacher, before and after the course is set up', async () => {
    const { lms, deployment } = moodle()
    const course = lms.addCourse()
    const admin = lms.addAdmin()
    lms.enrol(course, admin, 'Instructor')
    const link = lms.addLink(course, { deployment })
    const { launch, caller, userId } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    expect(launch).toMatchObject({ role: 'instructor', purpose: 'set_up', lms_administrator: null })
    const body = { course: { kind: 'new' as const, name: course.title }, assignment: { kind: 'none' as const } }
    const set = await caller.send(setUpLaunch, { body })
    expect(await teaches(set.body.course_id ?? 0)).toEqual([userId])
  })

  it('becomes one as soon as they are enrolled, and is none again once they are not', async () => {
    const { lms, course, link, courseId, teacher } = await readyCourse(moodle())
    const admin = lms.addAdmin()
    await launchAndSignIn(moodle(), { as: admin, link, mutate })
    lms.enrol(course, admin, 'Instructor')
    const enrolled = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    expect(enrolled.launch).toMatchObject({ role: 'instructor', purpose: 'open' })
    expect(await teaches(courseId)).toEqual([teacher.userId, enrolled.userId])
    course.members.delete(admin.id)
    const left = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    expect(left.launch).toMatchObject({ role: 'student', purpose: 'no_role' })
    expect(await teaches(courseId)).toEqual([teacher.userId])
  })

  it('is what the list says: an assistant teaches, a student learns', async () => {
    const { lms, course, link } = await readyCourse(moodle())
    for (const [enrolled, role] of [
      ['TeachingAssistant', 'instructor'],
      ['Learner', 'student'],
    ] as const) {
      const admin = lms.addAdmin()
      lms.enrol(course, admin, enrolled)
      const { launch } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
      expect(launch).toMatchObject({ role, purpose: 'open', lms_administrator: null })
    }
  })

  it('is one while the list cannot be read, if the last roster sync had them', async () => {
    const { lms, course, link, courseId, teacher } = await readyCourse(moodle())
    const admin = lms.addAdmin()
    await waitForSync({ courseId, teacher: teacher.caller })
    lms.enrol(course, admin, 'Instructor')
    await syncRoster({ courseId, teacher: teacher.caller })
    const mended = lms.fail('members', { status: 500, times: 20 })
    const { launch } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    mended()
    expect(launch).toMatchObject({ role: 'instructor', purpose: 'open', lms_administrator: null })
  })

  it('is one where a teacher has added them here', async () => {
    const { lms, link, courseId, teacher } = await readyCourse(moodle())
    const admin = lms.addAdmin()
    const { userId } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    await UserModel.updateOne({ _id: userId }, { $set: { role: 'instructor' } })
    await CourseModel.updateOne({ _id: courseId }, { $push: { instructor_ids: userId } })
    const { launch } = await launchAndSignIn(moodle(), { as: admin, link, mutate })
    expect(launch).toMatchObject({ role: 'instructor', purpose: 'open', lms_administrator: null })
    expect(await teaches(courseId)).toEqual([teacher.userId, userId])
  })

  it.each([
    ['fails', () => moodle().lms.fail('members', { status: 500, times: 20 }), mutate],
    ['refuses', () => moodle().lms.fail('members', { status: 403, times: 20 }), mutate],
    ['gives no token', () => moodle().lms.fail('token', { status: 400, times: 20 }), mutate],
    ['has 60,000 entries', () => answerWith({ members: Array.from({ length: 60_000 }, () => ({})) }), mutate],
    ['is longer than two megabytes', () => answerWith({ members: [], id: 'x'.repeat(2_200_000) }), mutate],
    [
      'is not shared',
      () => () => {},
      (claims: Claims) => {
        mutate(claims)
        delete claims[ROSTER_CLAIM]
      },
    ],
  ])('is none where the list of members %s, and is told that', async (_how, begin, change) => {
    const { lms, deployment } = moodle()
    const course = lms.addCourse()
    const admin = lms.addAdmin()
    lms.enrol(course, admin, 'Instructor')
    const link = lms.addLink(course, { deployment })
    lms.tokens.revokeAll()
    const mended = begin()
    try {
      const { launch } = await launchAndSignIn(moodle(), { as: admin, link, mutate: change })
      expect(launch).toMatchObject({ role: 'student', purpose: 'no_role', lms_administrator: 'list_unreadable' })
    } finally {
      mended()
    }
  })
})

it('is not asked about in Canvas, which calls nobody an instructor but those enrolled', async () => {
  const { lms } = canvas()
  const { course, link } = await readyCourse(canvas())
  const admin = lms.addAdmin()
  lms.enrol(course, admin, 'Instructor')
  const mended = lms.fail('members', { status: 500, times: 20 })
  const { launch } = await launchAndSignIn(canvas(), { as: admin, link })
  mended()
  expect(launch).toMatchObject({ role: 'instructor', lms_administrator: null })
})
