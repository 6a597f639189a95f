import { forgotPassword, getMe } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { getLaunch, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../../../../tests/fake-lms/data/lms-data.ts'
import { CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { launchAndSignIn, setUpCourse, startRegisteredLms, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'
import { wantsMail } from '../../users/notifications/notify.ts'

const server = useServer()
// As in Canvas, administrators have no role in a course.
const school = useRegisteredLms(server, { administratorsTeach: false })
const api = createTestApi(server)

const readyCourse = (students = 0) => setUpCourse(school(), students)

const teaches = async (courseId: number) => (await CourseModel.findById(courseId).lean())?.instructor_ids ?? []
const isOn = async (courseId: number, userId: number) =>
  (await EnrollmentModel.findById(`${courseId}/${userId}`).lean())?.added_by ?? null
const accountOf = async (userId: number) => {
  const user = await UserModel.findById(userId).lean()
  if (!user) throw new Error('an account')
  return user
}

describe('whose account it is', () => {
  it('is one for every launch of a person, readable, without password or mail', async () => {
    const { lms } = school()
    const { course, link } = await readyCourse()
    const ada = lms.addUser({ givenName: 'Ada', familyName: 'King', username: 'ada.king' })
    lms.enrol(course, ada, 'Learner')
    const first = await launchAndSignIn(school(), { as: ada, link })
    const second = await launchAndSignIn(school(), { as: ada, link })
    expect(second.userId).toBe(first.userId)
    const user = await accountOf(first.userId)
    expect(user).toMatchObject({
      username: 'ada.king',
      full_name: 'Ada King',
      email: 'ada.king@school.example',
      email_key: expect.stringMatching(/^lti:\d+$/),
      password_hash: null,
      role: 'student',
      account: 'active',
      from_lms: true,
    })
    expect(wantsMail(user, 'grades')).toBe(false)
  })

  it('is one for two first launches at the same moment', async () => {
    const { lms } = school()
    const { course, link } = await readyCourse()
    const person = lms.addUser()
    lms.enrol(course, person, 'Learner')
    const launches = await Promise.all([1, 2, 3].map(() => launchAndSignIn(school(), { as: person, link })))
    expect(new Set(launches.map(({ userId }) => userId)).size).toBe(1)
    expect(await LtiIdentityModel.countDocuments({ sub: person.id, issuer: school().platform.identity_issuer })).toBe(1)
    expect(await UserModel.countDocuments({ full_name: person.name })).toBe(1)
  })

  it('is never that of somebody with the same address or name, whose address stays theirs', async () => {
    const { lms } = school()
    const { course, link } = await readyCourse()
    const owner = await buildPerson('student', { username: 'mo.salah', full_name: 'Mo Salah' })
    const same = lms.addUser({ givenName: 'Mo', familyName: 'Salah', username: 'mo.salah' })
    lms.enrol(course, same, 'Learner')
    const { userId } = await launchAndSignIn(school(), { as: same, link })
    expect(userId).not.toBe(owner.id)
    expect((await accountOf(userId)).username).toBe('mo.salah2')
    expect((await api.as(owner).send(getMe)).body).toMatchObject({ id: owner.id, email: 'mo.salah@school.example' })
    expect(await isOn(0, owner.id)).toBeNull()
  })

  it('gets along with an LMS that names nobody, and is reached by no address', async () => {
    const quiet = await startRegisteredLms(server)
    quiet.deployment.tool.privacy = 'anonymous'
    const { course, teacher } = quiet.lms.classOf(0)
    const link = quiet.lms.addLink(course, { deployment: quiet.deployment })
    const { userId } = await launchAndSignIn(quiet, { as: teacher, link })
    const user = await accountOf(userId)
    expect(user).toMatchObject({ email: '', full_name: null })
    expect(user.username).toMatch(/^(student|instructor)-[0-9a-f]{4}/)
    for (const email of [user.email_key, '@']) {
      const reply = await api.nobody.send(forgotPassword, { body: { email } })
      expect(reply.status).toBe(422)
    }
    await quiet.lms.close()
  })

  it('takes the name and address that the LMS sends, and leaves as they are those it omits', async () => {
    const { lms } = school()
    const { course, link } = await readyCourse()
    const person = lms.addUser({ name: 'Before Name', email: 'before@school.example' })
    lms.enrol(course, person, 'Learner')
    const { userId } = await launchAndSignIn(school(), { as: person, link })
    person.name = 'After Name'
    person.email = ''
    await launchAndSignIn(school(), { as: person, link })
    expect(await accountOf(userId)).toMatchObject({ full_name: 'After Name', email: 'before@school.example' })
  })

  it('lets nobody in who was deactivated, and says so', async () => {
    const { lms } = school()
    const { link, teacher, teacherLaunch } = await readyCourse()
    await UserModel.updateOne({ _id: teacherLaunch.userId }, { $set: { account: 'deactivated' } })
    const { reply } = await lms.launcher().go({ as: teacher, link })
    expect(reply).toMatchObject({ status: 403, text: expect.stringContaining('deactivated') })
  })
})

describe('what somebody is where', () => {
  it('adds and removes memberships as roles change, and never removes the last instructor', async () => {
    const { lms } = school()
    const { course, link, courseId, teacher, teacherLaunch } = await readyCourse()
    const person = lms.addUser()
    const launch = async (roles: string | string[]) => {
      lms.enrol(course, person, roles)
      return launchAndSignIn(school(), { as: person, link })
    }
    const { userId } = await launch('Learner')
    expect([await isOn(courseId, userId), await teaches(courseId)]).toEqual(['lms', [teacherLaunch.userId]])
    await launch('TeachingAssistant')
    expect([await isOn(courseId, userId), await teaches(courseId)]).toEqual([null, [teacherLaunch.userId, userId]])
    await launch(['Learner', 'Instructor'])
    expect(await teaches(courseId)).toContain(userId)
    const again = await launch('Learner')
    expect(again.launch).toMatchObject({ role: 'student' })
    expect([await isOn(courseId, userId), await teaches(courseId)]).toEqual(['lms', [teacherLaunch.userId]])

    lms.enrol(course, teacher, 'Learner')
    const last = await launchAndSignIn(school(), { as: teacher, link })
    expect(last.launch.role).toBe('student')
    expect(await teaches(courseId)).toEqual([teacherLaunch.userId])
    expect((await last.caller.send(getCourse, { params: { courseId } })).status).toBe(404)
    const actions = await AuditModel.distinct('action', { 'subject.course_id': courseId })
    expect(actions).toEqual(
      expect.arrayContaining([
        'course.instructor_added',
        'course.instructor_removed',
        'student.enrolled',
        'student.removed',
      ]),
    )
  })

  it('teaches while one section says so, whatever another says', async () => {
    const { lms, deployment } = school()
    const { course, courseId, teacher, link } = await readyCourse()
    const section = lms.addCourse()
    lms.enrol(section, teacher, 'Instructor')
    const sectionLink = lms.addLink(section, { deployment })
    const { caller } = await launchAndSignIn(school(), { as: teacher, link: sectionLink })
    const body = { course: { kind: 'existing' as const, course_id: courseId }, assignment: { kind: 'none' as const } }
    await caller.send(setUpLaunch, { body })
    const assistant = lms.addUser()
    lms.enrol(course, assistant, 'TeachingAssistant')
    lms.enrol(section, assistant, 'Learner')
    const { userId } = await launchAndSignIn(school(), { as: assistant, link })
    await launchAndSignIn(school(), { as: assistant, link: sectionLink })
    expect(await teaches(courseId)).toContain(userId)
    expect(await isOn(courseId, userId)).toBeNull()
  })

  it('takes nobody’s place whom a teacher of ours has put there', async () => {
    const { lms } = school()
    const { course, link, courseId } = await readyCourse()
    const person = lms.addUser()
    lms.enrol(course, person, 'Instructor')
    const { userId } = await launchAndSignIn(school(), { as: person, link })
    await CourseModel.updateOne({ _id: courseId }, { $pull: { lms_instructor_ids: userId } })
    lms.enrol(course, person, 'Learner')
    const { caller } = await launchAndSignIn(school(), { as: person, link })
    expect(await teaches(courseId)).toContain(userId)
    expect((await caller.send(getCourse, { params: { courseId } })).status).toBe(404)
  })

  it('is a student without a place for an LMS’s administrator and for roles that are none of ours', async () => {
    const { lms } = school()
    const { course, link, courseId } = await readyCourse()
    const admin = lms.addAdmin()
    const guest = lms.addUser()
    lms.enrol(course, guest, 'http://purl.imsglobal.org/vocab/lis/v2/membership#Member')
    for (const person of [admin, guest] satisfies Person[]) {
      const { launch, caller, userId } = await launchAndSignIn(school(), { as: person, link })
      expect(launch).toMatchObject({ role: 'student', purpose: 'no_role', path: '/lti/no-role' })
      expect((await caller.send(getMe)).body.role).toBe('student')
      expect((await accountOf(userId)).role).toBe('student')
      expect([await isOn(courseId, userId), await teaches(courseId)]).toEqual([null, [expect.any(Number)]])
    }
    expect(await LtiMemberModel.countDocuments({ sub: { $in: [admin.id, guest.id] }, role: null })).toBe(2)
  })

  it('is told so, whether or not the course was set up, unless they are enrolled there anyway', async () => {
    const { lms, deployment } = school()
    const { course } = lms.classOf(0)
    const fresh = lms.addLink(course, { deployment })
    const admin = lms.addAdmin()
    const early = await launchAndSignIn(school(), { as: admin, link: fresh })
    expect(early.launch).toMatchObject({ purpose: 'no_role', path: '/lti/no-role' })
    const ready = await readyCourse()
    const enrolment = { course_id: ready.courseId, user_id: early.userId }
    await EnrollmentModel.create({ _id: `${ready.courseId}/${early.userId}`, ...enrolment, enrolled_at: new Date() })
    const guest = await launchAndSignIn(school(), { as: admin, link: ready.link })
    expect(guest.launch).toMatchObject({ purpose: 'open', path: `/student/courses/${ready.courseId}` })
  })

  it('is never an administrator, whatever the account is elsewhere', async () => {
    const { link, teacher, teacherLaunch } = await readyCourse()
    await UserModel.updateOne({ _id: teacherLaunch.userId }, { $set: { role: 'admin' } })
    const { caller, launch } = await launchAndSignIn(school(), { as: teacher, link })
    expect([launch.role, (await caller.send(getMe)).body.role]).toEqual(['instructor', 'instructor'])
  })

  it('goes to a page of ours that the link asks for, by the role', async () => {
    const { lms, deployment } = school()
    const { course, teacher, courseId } = await readyCourse(0)
    const path = `/courses/${courseId}/analytics`
    const link = lms.addLink(course, { deployment, custom: { path } })
    const { caller } = await launchAndSignIn(school(), { as: teacher, link })
    await caller.send(setUpLaunch, { body: { assignment: { kind: 'none' } } })
    expect((await caller.send(getLaunch)).body).toMatchObject({ purpose: 'open', path })
    const student = lms.addUser()
    lms.enrol(course, student, 'Learner')
    const theirs = await launchAndSignIn(school(), { as: student, link })
    expect(theirs.launch.path).toBe(`/student/courses/${courseId}`)
  })

  it('does without a context: nobody gets a place anywhere', async () => {
    const { lms, deployment } = school()
    const { course, teacher } = lms.classOf(0)
    const link = lms.addLink(course, { deployment })
    const mutate = (claims: Record<string, unknown>) => {
      delete claims[`${CLAIM}/context`]
    }
    const { launch } = await launchAndSignIn(school(), { as: teacher, link, mutate })
    expect(launch).toMatchObject({ purpose: 'open', path: '/dashboard', course_id: null })
  })
})
