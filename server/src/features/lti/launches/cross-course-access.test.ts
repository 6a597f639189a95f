import { deleteAssignments, listAssignments, publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { contract } from '@assay/shared/contract.ts'
import {
  createCourse,
  deleteCourse,
  enrolStudent,
  getCourse,
  listMyCourses,
  updateCourse,
} from '@assay/shared/courses.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { getSetUp, joinAccount } from '@assay/shared/lti/lti.ts'
import { exportOwnData, previewOwnErasure } from '@assay/shared/personal-data.ts'
import { updateInstructorProfile, updateStudentProfile } from '@assay/shared/profile.ts'
import { getStudentAssignment, getStudentDashboard, joinCourse } from '@assay/shared/students.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import type { Course, Person } from '../../../../../tests/fake-lms/data/lms-data.ts'
import { CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildCourse, buildPerson, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { linkCourse, linkPerson } from '../../../testing/lti-records.ts'
import { launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'
import { requireActor } from '../../auth/session.service.ts'
import { requireCourse } from '../../courses/course.service.ts'
import { generateJoinCode } from '../../courses/join-code.ts'
import { canWatchAssignment } from '../../realtime/realtime.policy.ts'
import { requireUser } from '../../users/user.service.ts'

// Other sessions are in `access.test.ts`.

const { api, server } = useTestApi()
const school = useRegisteredLms(server)
const otherSchool = useRegisteredLms(server)

async function buildRoom({ lms, platform, deployment } = school()) {
  const { instructor, students, courseId } = await buildCourse(api, { students: 1 })
  const [owner = instructor] = students
  const paper = { name: `${owner.username}.pdf`, bytes: await drawPaper({ full_name: 'Ana' }, correctAnswers) }
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [paper])
  const { course, teacher, students: learners } = lms.classOf(1)
  const context = await linkCourse(lms, platform, course, courseId)
  const link = lms.addLink(course, { deployment, custom: { assignment_id: String(assignmentId) } })
  const [learner = teacher] = learners
  const ids = { courseId, assignmentId, submissionId: submissionIds[0] ?? 0 }
  return { instructor, owner, course, context, teacher, learner, link, ...ids }
}

const enter = (course: Course, as: Person) => {
  const { lms, deployment } = school()
  return launchAndSignIn(school(), { as, link: lms.addLink(course, { deployment }) })
}

async function call(caller: Caller, endpoint: Endpoint, room: Record<string, unknown>) {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, room[name] ?? 1]))
  return (await caller.send(endpoint, { params, ...(endpoint.body ? { body: {} } : {}) })).status
}

const callsFor = (wanted: (roles: string[], endpoint: Endpoint) => boolean) =>
  contract.filter(({ endpoint }) => endpoint.access !== 'public' && wanted([...endpoint.access], endpoint))

async function expectHidden(room: Record<string, unknown>, callers: Record<'instructor' | 'student', Caller>) {
  for (const [role, caller] of Object.entries(callers)) {
    const looks = callsFor(
      (roles, { method, path }) => method === 'get' && roles.includes(role) && /:(courseId|assignmentId)/.test(path),
    )
    expect(looks.length).toBeGreaterThan(role === 'student' ? 5 : 15)
    for (const { name, endpoint } of looks) expect([name, await call(caller, endpoint, room)]).toEqual([name, 404])
  }
}

it('shows the people of another LMS course nothing of this one, and lets its teacher change nothing', async () => {
  const [room, other] = [await buildRoom(), await buildRoom()]
  const { caller } = await launchAndSignIn(school(), { as: other.teacher, link: other.link })
  const learner = await launchAndSignIn(school(), { as: other.learner, link: other.link })
  await expectHidden(room, { instructor: caller, student: learner.caller })
  for (const { name, endpoint } of callsFor((roles) => !roles.includes('instructor') && !roles.includes('student')))
    expect([name, await call(caller, endpoint, other)]).toEqual([name, 403])
  const { assignmentId, courseId } = room
  const changes = [
    caller.send(publishAssignment, { params: { assignmentId } }),
    caller.send(updateAssignment, { params: { assignmentId }, body: { course_id: other.courseId } }),
    caller.send(enrolStudent, { params: { courseId }, body: { user_id: 1 } }),
  ]
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([404, 404, 404])
})

describe('an account merged with those of two LMSs, with a course of its own besides', () => {
  const course = { name: 'Biology', description: null, course_code: null }
  const courseIds = async (caller: Caller) => (await caller.send(listMyCourses)).body.map(({ id }) => id).sort()

  async function mergedAccounts() {
    const [a, b, own] = [await buildRoom(), await buildRoom(otherSchool()), await buildRoom()]
    await LtiContextModel.deleteOne({ _id: own.context._id })
    const [teacher, student] = [await requireUser(own.instructor.id), await requireUser(own.owner.id)]
    for (const [{ platform }, room] of [
      [school(), a],
      [otherSchool(), b],
    ] as const) {
      await linkPerson(platform, room.context, room.teacher, { role: 'instructor', user: teacher })
      await linkPerson(platform, room.context, room.learner, { user: student })
      await SubmissionModel.updateOne({ _id: room.submissionId }, { $set: { student_id: student._id } })
    }
    for (const { instructor, assignmentId } of [a, b, own])
      await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    return { a, b, own, all: [a, b, own].map(({ courseId }) => courseId).sort() }
  }

  it('opens only the courses of the LMS that launched it', async () => {
    const { a, b, own } = await mergedAccounts()
    const asTeacher = await launchAndSignIn(school(), { as: a.teacher, link: a.link })
    const { caller: student, ...asStudent } = await launchAndSignIn(school(), { as: a.learner, link: a.link })
    const { caller: teacher } = asTeacher
    expect([asTeacher.userId, asStudent.userId]).toEqual([own.instructor.id, own.owner.id])
    for (const caller of [teacher, student]) {
      expect(await courseIds(caller)).toEqual([a.courseId])
      for (const endpoint of [exportOwnData, previewOwnErasure]) expect(await call(caller, endpoint, {})).toBe(403)
    }
    const actor = await requireActor(asTeacher.token, server.running.services)
    const params = { assignmentId: a.assignmentId }
    for (const { courseId, assignmentId, submissionId } of [b, own]) {
      await expectHidden({ courseId, assignmentId, submissionId }, { instructor: teacher, student })
      const changes = [
        teacher.send(updateCourse, { params: { courseId }, body: course }),
        teacher.send(deleteCourse, { params: { courseId } }),
        teacher.send(publishAssignment, { params: { assignmentId } }),
        teacher.send(updateAssignment, { params, body: { course_id: courseId } }),
      ]
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
      const bulk = await teacher.send(deleteAssignments, { body: { assignment_ids: [assignmentId] } })
      expect(bulk.body.results.successful_deletions).toEqual([])
      expect(await canWatchAssignment(actor, assignmentId)).toBe(false)
    }
    expect((await teacher.send(listAssignments)).body.map(({ id }) => id)).toEqual([a.assignmentId])
    const { courses } = (await student.send(getStudentDashboard)).body
    expect(courses.map(({ id }) => id)).toEqual([a.courseId])
    expect(await canWatchAssignment(actor, a.assignmentId)).toBe(true)
    expect((await teacher.send(getSetUp)).body.courses.map(({ id }) => id)).toEqual([a.courseId])
    const outside = [
      teacher.send(createCourse, { body: course }),
      teacher.send(updateAssignment, { params, body: { course_id: null } }),
      student.send(joinCourse, { body: { code: await generateJoinCode(await requireCourse(own.courseId)) } }),
    ]
    for (const reply of outside)
      expect(await reply).toMatchObject({ status: 403, body: { detail: expect.stringContaining('Sign in') } })
  })

  it('opens all of them by password: signed in with it, or given in the LMS', async () => {
    const { a, own, all } = await mergedAccounts()
    expect(await courseIds(api.as(own.instructor))).toEqual(all)
    const { caller, launch } = await launchAndSignIn(school(), { as: a.teacher, link: a.link })
    expect(launch.limited_to_lms).toBe(true)
    expect((await caller.send(joinAccount, { body: await buildPerson('instructor') })).status).toBe(409)
    expect((await caller.send(joinAccount, { body: { ...own.instructor, password: 'wrong' } })).status).toBe(422)
    expect(await courseIds(caller)).toEqual([a.courseId])
    const { body } = await caller.send(joinAccount, { body: own.instructor })
    expect(body.launch).toMatchObject({ id: launch.id, limited_to_lms: false })
    expect(await courseIds(api.withToken(body.access_token))).toEqual(all)
    expect((await caller.send(getMe)).status).toBe(401)
  })
})

it('refuses to enrol anybody by ID from an LMS, in one answer for all', async () => {
  const room = await buildRoom()
  const { caller } = await enter(room.course, room.teacher)
  const { students } = await buildCourse(api, { students: 1 })
  const stranger = await buildPerson('student')
  const answers = []
  for (const id of [stranger.id, students[0]?.id ?? 0, 999_999_999]) {
    const { status, body } = await caller.send(enrolStudent, {
      params: { courseId: room.courseId },
      body: { user_id: id },
    })
    answers.push([status, body.message])
  }
  const refusal = [403, expect.stringContaining('Enrol them in the course there')]
  expect(answers).toEqual([refusal, refusal, refusal])
})

it('goes by the role of the course that was opened, not by what somebody is elsewhere', async () => {
  const { lms } = school()
  const [teaching, learning] = [await buildRoom(), await buildRoom()]
  lms.enrol(learning.course, teaching.teacher, 'Learner')
  const asTeacher = await enter(teaching.course, teaching.teacher)
  const asStudent = await enter(learning.course, teaching.teacher)
  expect(asStudent.userId).toBe(asTeacher.userId)
  expect((await asStudent.caller.send(getMe)).body.role).toBe('student')
  expect((await UserModel.findById(asStudent.userId).lean())?.role).toBe('instructor')
  const seen = async ({ caller }: { caller: Caller }, courseId: number) =>
    (await caller.send(getCourse, { params: { courseId } })).status
  expect([await seen(asTeacher, teaching.courseId), await seen(asTeacher, learning.courseId)]).toEqual([200, 404])
  const params = { assignmentId: teaching.assignmentId }
  expect((await asStudent.caller.send(publishAssignment, { params })).status).toBe(403)
  const paper = { assignmentId: learning.assignmentId, submissionId: learning.submissionId }
  expect((await asStudent.caller.send(getSubmissionFile, { params: paper })).status).toBe(404)
  const listed = await asStudent.caller.send(listMyCourses)
  expect(listed.body.map(({ id }) => id)).toEqual([learning.courseId])
})

it('lets nobody who comes by a launch take a joined account over by another address', async () => {
  const room = await buildRoom()
  const account = await buildPerson('instructor')
  const { caller } = await launchAndSignIn(school(), { as: room.teacher, link: room.link })
  const joined = await caller.send(joinAccount, { body: account })
  const session = api.withToken(joined.body.access_token)
  for (const endpoint of [updateInstructorProfile, updateStudentProfile] as Endpoint[]) {
    if (endpoint.access !== 'public' && !endpoint.access.includes('instructor')) continue
    for (const body of [{ email: 'mallory@elsewhere.example' }, { username: 'mallory' }])
      expect((await session.send(endpoint, { body })).status).toBe(409)
  }
  const stored = await UserModel.findById(account.id).lean()
  expect(stored).toMatchObject({ username: account.username, email: `${account.username}@school.example` })
  const body = { username: account.username, full_name: 'Grace H.' }
  expect((await session.send(updateInstructorProfile, { body })).status).toBe(200)
  const signedIn = api.as(account)
  const address = { email: `new-${account.username}@school.example` }
  expect((await signedIn.send(updateInstructorProfile, { body: address })).status).toBe(200)
})

it('opens no assignment of another course by a custom parameter somebody has written into the link', async () => {
  const { lms, deployment } = school()
  const [room, other] = [await buildRoom(), await buildRoom()]
  const { caller: theirs } = await launchAndSignIn(school(), { as: other.teacher, link: other.link })
  await theirs.send(publishAssignment, { params: { assignmentId: other.assignmentId } })
  const written = [String(other.assignmentId), '0', '-1', '1e3', `${room.assignmentId} `, '$ne', '{"$gt":0}']
  for (const assignment_id of written) {
    const link = lms.addLink(room.course, { deployment, custom: { assignment_id } })
    const { launch, caller } = await launchAndSignIn(school(), { as: room.learner, link })
    const own = assignment_id.trim() === String(room.assignmentId)
    expect([assignment_id, launch.assignment_id]).toEqual([assignment_id, own ? room.assignmentId : null])
    const params = { assignmentId: other.assignmentId }
    expect((await caller.send(getStudentAssignment, { params })).status).toBe(404)
  }
})

it('takes names and addresses for what they are: one line, one address', async () => {
  const { lms } = school()
  const room = await buildRoom()
  const odd = lms.addUser({
    name: `  Mal\u202elory\n${'x'.repeat(3000)}`,
    email: 'mallory@school.example, ada@school.example',
  })
  lms.enrol(room.course, odd, 'Learner')
  const { userId } = await enter(room.course, odd)
  const user = await UserModel.findById(userId).lean()
  expect(user?.full_name).toMatch(/^Mal lory x+$/)
  expect(user?.full_name).toHaveLength(200)
  expect(user?.email).toBe('')
})

it('takes another deployment’s course of the same id for another course', async () => {
  const { lms, deployment } = school()
  const { course, teacher, link: known } = await buildRoom()
  const link = lms.addLink(course, { deployment: lms.addDeployment(deployment.tool) })
  const { launch } = await launchAndSignIn(school(), { as: teacher, link })
  expect(launch).toMatchObject({ purpose: 'set_up', course_id: null })
  const mutate = (claims: Record<string, unknown>) => {
    claims[`${CLAIM}/resource_link`] = { id: known.id }
  }
  const same = await launchAndSignIn(school(), { as: teacher, link, mutate })
  expect(same.launch.assignment_id).toBeNull()
})
