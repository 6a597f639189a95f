import { publishAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { contract } from '@assay/shared/contract.ts'
import { getCourse } from '@assay/shared/courses.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { getLaunch, linkAssignment, resumeLaunch, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { getStudentAssignment, getStudentCourse, joinCourse } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLAIM, ROLE } from '../../../../../tests/fake-lms/lti-constants.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import type { Caller } from '../../../testing/api.ts'
import { buildAssignment, buildCourse, correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

/** A class with a published assignment, and a class of another teacher in the same LMS. */
async function buildRoom() {
  const { lms, deployment } = school()
  const room = lms.classOf(1)
  const link = lms.addLink(room.course, { deployment, title: 'Quiz 1', scoreMaximum: 20 })
  const teacher = await launchAndSignIn(school(), { as: room.teacher, link })
  const course = { kind: 'new' as const, name: room.course.title }
  const set = await teacher.caller.send(setUpLaunch, { body: { course, assignment: { kind: 'later' } } })
  const courseId = set.body.course_id ?? 0
  const papers = [{ name: 'somebody.pdf', bytes: await drawPaper({ full_name: 'Somebody' }, correctAnswers) }]
  const instructor = { id: teacher.userId, username: '', password: '' }
  const { assignmentId, submissionIds } = await buildAssignment(
    { ...api, as: () => teacher.caller },
    { instructor, courseId },
    papers,
  )
  await teacher.caller.send(linkAssignment, { body: { assignment_id: assignmentId } })
  await teacher.caller.send(publishAssignment, { params: { assignmentId } })
  const [student] = room.students
  if (!student) throw new Error('a student')
  const pupil = await launchAndSignIn(school(), { as: student, link })
  const submissionId = submissionIds[0] ?? 0
  return {
    ...room,
    person: room.teacher,
    link,
    courseId,
    assignmentId,
    submissionId,
    teacher,
    student,
    pupil,
  }
}

let own: Awaited<ReturnType<typeof buildRoom>>
let other: Awaited<ReturnType<typeof buildRoom>>
beforeAll(async () => {
  own = await buildRoom()
  other = await buildRoom()
})

const guarded = contract.flatMap(({ name, endpoint }) =>
  endpoint.access === 'public' ? [] : [{ name, endpoint, roles: endpoint.access }],
)

/** Ids of that room wherever the address wants any. */
function paramsFor({ path }: Endpoint, room: typeof own): Record<string, unknown> {
  const known: Record<string, unknown> = {
    courseId: room.courseId,
    assignmentId: room.assignmentId,
    submissionId: room.submissionId,
    launchId: room.teacher.launch.id,
  }
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, known[name] ?? 1]))
}

const attempt = (caller: Caller, endpoint: Endpoint, room: typeof own) =>
  caller.send(endpoint, { params: paramsFor(endpoint, room), ...(endpoint.body ? { body: {} } : {}) })

describe('a student of a launch', () => {
  it.each(
    guarded.filter(({ roles, endpoint }) => roles.includes('student') && /:(course|assignment)Id/.test(endpoint.path)),
  )('knows nothing of another course by $name', async ({ endpoint }) => {
    // 422 where the body is looked at first: that says nothing of the course.
    expect([404, 422]).toContain((await attempt(own.pupil.caller, endpoint, other)).status)
  })

  it('reads their own course and assignment, and no one else’s paper', async () => {
    const { assignmentId, courseId } = own
    expect((await own.pupil.caller.send(getStudentCourse, { params: { courseId } })).status).toBe(200)
    expect((await own.pupil.caller.send(getStudentAssignment, { params: { assignmentId } })).status).toBe(200)
    expect(
      (await own.pupil.caller.send(getStudentAssignment, { params: { assignmentId: other.assignmentId } })).status,
    ).toBe(404)
    const code = { body: { code: 'AAAA-AAAA' } }
    expect((await own.pupil.caller.send(joinCourse, code)).status).toBe(404)
  })

  it('gets no instructor’s session by the cookie, the launch or the token of another', async () => {
    const params = { launchId: own.teacher.launch.id }
    const theirs = await api.nobody.send(resumeLaunch, { params, headers: { cookie: own.pupil.cookie } })
    expect(theirs.status).toBe(401)
    const [head, , signature] = own.pupil.token.split('.')
    const claims = JSON.parse(Buffer.from(own.pupil.token.split('.')[1] ?? '', 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: String(own.teacher.userId) })).toString('base64url')
    expect((await api.withToken(`${head}.${forged}.${signature}`).send(getMe)).status).toBe(401)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged}.`
    expect((await api.withToken(unsigned).send(getMe)).status).toBe(401)
  })

  it('ties nothing by what a link says: neither its course nor its assignment', async () => {
    const { lms, deployment } = school()
    const custom = {
      assignment_id: String(other.assignmentId),
      path: `/assignments/${other.assignmentId}/submissions`,
    }
    const link = lms.addLink(own.course, { deployment, custom })
    const { launch, caller } = await launchAndSignIn(school(), { as: own.student, link })
    expect(launch).toMatchObject({ role: 'student', purpose: 'waiting', assignment_id: null })
    expect((await caller.send(getStudentAssignment, { params: { assignmentId: other.assignmentId } })).status).toBe(404)
    // The first to open a course of the LMS sets nothing up.
    const fresh = lms.addCourse()
    lms.enrol(fresh, own.student, 'Learner')
    const first = await launchAndSignIn(school(), { as: own.student, link: lms.addLink(fresh, { deployment }) })
    expect(first.launch).toMatchObject({ purpose: 'waiting', course_id: null })
    expect(await LtiContextModel.findOne({ context_id: fresh.id }).lean()).toMatchObject({ course_id: null })
  })

  it('is none of what a deep link or a review is for', async () => {
    const { lms, deployment } = school()
    const asked = { as: own.student, course: own.course, deployment }
    const choosing = await launchAndSignIn(school(), { ...asked, message: 'LtiDeepLinkingRequest' })
    expect(choosing.launch).toMatchObject({ role: 'student', path: `/student/courses/${own.courseId}` })
    const [lineItem] = lms.lineItemsOf(own.link)
    const review = await launchAndSignIn(school(), {
      as: own.student,
      link: own.link,
      message: 'LtiSubmissionReviewRequest',
      forUser: own.student,
      lineItem: lineItem ?? null,
    })
    expect(review.launch.path).toBe(`/student/assignments/${own.assignmentId}`)
  })

  it('stays one by roles of the institution and the system, and by look-alikes of a teaching role', async () => {
    const { lms } = school()
    const person = lms.addUser({
      roles: [ROLE.institutionAdministrator, ROLE.systemAdministrator, ROLE.institutionFaculty],
    })
    lms.enrol(own.course, person, [
      'Learner',
      'https://evil.example/membership#Instructor',
      'urn:lti:role:ims/lis/Instructor',
    ])
    const { launch, userId } = await launchAndSignIn(school(), { as: person, link: own.link })
    expect(launch.role).toBe('student')
    expect((await CourseModel.findById(own.courseId).lean())?.instructor_ids).not.toContain(userId)
  })
})

describe('an instructor of a launch', () => {
  it.each(guarded.filter(({ roles }) => !roles.includes('instructor') && !roles.includes('student')))(
    'is refused $name',
    async ({ endpoint }) => {
      expect((await attempt(own.teacher.caller, endpoint, own)).status).toBe(403)
    },
  )

  it('knows nothing of a course of another teacher of the same LMS, nor of ours', async () => {
    const { courseId, assignmentId, submissionId } = other
    const { caller } = own.teacher
    expect((await caller.send(getCourse, { params: { courseId } })).status).toBe(404)
    expect((await caller.send(getSubmission, { params: { assignmentId, submissionId } })).status).toBe(404)
    expect((await caller.send(linkAssignment, { body: { assignment_id: assignmentId } })).status).toBe(404)
    const stranger = await buildCourse(api, { students: 0 })
    expect((await caller.send(getCourse, { params: { courseId: stranger.courseId } })).status).toBe(404)
  })

  it('takes nothing over by a link that names another’s assignment, in a course of their own', async () => {
    const { lms, deployment } = school()
    const link = lms.addLink(own.course, {
      deployment,
      custom: { assignment_id: String(other.assignmentId) },
    })
    const { launch, caller } = await launchAndSignIn(school(), { as: own.person, link })
    expect(launch).toMatchObject({ purpose: 'set_up', assignment_id: null })
    expect((await caller.send(getLaunch)).body.assignment_id).toBeNull()
  })

  it('has another deployment’s course of the same id for another course', async () => {
    const { lms, deployment } = school()
    const second = lms.addDeployment(deployment.tool)
    const link = lms.addLink(own.course, { deployment: second })
    const { launch } = await launchAndSignIn(school(), { as: own.person, link })
    expect(launch).toMatchObject({ purpose: 'set_up', course_id: null })
    const mutate = (claims: Record<string, unknown>) => {
      claims[`${CLAIM}/resource_link`] = { id: own.link.id }
    }
    const same = await launchAndSignIn(school(), { as: own.person, link, mutate })
    expect(same.launch.assignment_id).toBeNull()
  })
})
