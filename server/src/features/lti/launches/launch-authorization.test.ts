import { publishAssignment } from '@assay/shared/assignments.ts'
import { contract } from '@assay/shared/contract.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { getStudentAssignment, getStudentCourse, joinCourse } from '@assay/shared/students.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLAIM, ROLE } from '../../../../../tests/fake-lms/lti-constants.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import type { Caller } from '../../../testing/api.ts'
import { correctAnswers, drawPaper } from '../../../testing/build-course.ts'
import { buildLaunchedAssignment, setUpCourse } from '../../../testing/linked-course.ts'
import { launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

/** A class with a published assignment, and a class of another teacher in the same LMS. */
async function buildRoom() {
  const room = await setUpCourse(school(), 1)
  const { link, teacherLaunch: teacher } = room
  const papers = [{ name: 'somebody.pdf', bytes: await drawPaper({ full_name: 'Somebody' }, correctAnswers) }]
  const { assignmentId, submissionIds } = await buildLaunchedAssignment(api, room, papers)
  await teacher.caller.send(publishAssignment, { params: { assignmentId } })
  const [student] = room.students
  if (!student) throw new Error('a student')
  const pupil = await launchAndSignIn(school(), { as: student, link })
  const submissionId = submissionIds[0] ?? 0
  return { ...room, person: room.teacher, assignmentId, submissionId, teacher, student, pupil }
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
    const code = { body: { code: 'AAAA-AAAA' } }
    expect((await own.pupil.caller.send(joinCourse, code)).status).toBe(404)
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
