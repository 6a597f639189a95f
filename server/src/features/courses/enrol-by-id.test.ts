import { createCourse, enrolStudent, getCourse, listCourseStudents, removeStudent } from '@assay/shared/courses.ts'
import { addStudent, removeFromRoster } from '@assay/shared/roster.ts'
import {
  acceptEnrollment,
  declineEnrollment,
  getStudentCourse,
  getStudentDashboard,
  listStudentAssignments,
} from '@assay/shared/students.ts'
import { expect, it } from 'vitest'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/mail-server.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

let passed = 0
const { api, server } = useTestApi({}, { clock: { now: () => new Date(Date.now() + passed) } })

const enrolById = (who: Person, courseId: number, userId: number) =>
  api.as(who).send(enrolStudent, { params: { courseId }, body: { user_id: userId } })

async function buildEmptyCourse(instructor: Person): Promise<number> {
  return (await api.as(instructor).send(createCourse, { body: { name: 'Another' } })).body.id
}

const NOBODY = 999_999_999

it('enrols by ID who is in another course of the teacher, or was', async () => {
  const { instructor, students, courseId } = await buildCourse(api, { students: 1 })
  const [ada] = students as [Person]
  const other = await buildEmptyCourse(instructor)
  expect(await enrolById(instructor, other, ada.id)).toMatchObject({ status: 201, body: { username: ada.username } })
  for (const [id, from] of [
    [other, ada.id],
    [courseId, ada.id],
  ] as const)
    await api.as(instructor).send(removeStudent, { params: { courseId: id, userId: from } })
  expect((await enrolById(instructor, courseId, ada.id)).status).toBe(201)
})

it('answers alike for everybody else, whether or not there is such an account, with a row that names nobody', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const elsewhere = await buildCourse(api, { students: 1 })
  const admin = await buildPerson('admin')
  const strangers = [await buildPerson('student'), elsewhere.students[0], elsewhere.instructor, instructor, admin]
  const ids = [NOBODY, ...strangers.map((person) => person?.id ?? 0)]
  for (const id of ids) {
    const row = { id, username: `user ${id}`, full_name: null, email: '', state: 'waiting', added_by: 'teacher' }
    for (let time = 0; time < 2; time++)
      expect(await enrolById(instructor, courseId, id)).toMatchObject({ status: 201, body: row })
  }
  const roster = (await api.as(instructor).send(listCourseStudents, { params: { courseId } })).body
  expect(roster.map(({ username }) => username).sort()).toEqual(ids.map((id) => `user ${id}`).sort())
  const params = { courseId, userId: NOBODY }
  expect((await api.as(instructor).send(removeStudent, { params })).status).toBe(200)
  expect((await api.as(instructor).send(removeStudent, { params })).status).toBe(404)
})

it('asks the student, who accepts, or declines without the teacher’s knowing, and forgets what nobody has answered for 30 days', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const student = await buildPerson('student')
  const params = { courseId }
  const asked = async () => (await api.as(student).send(getStudentDashboard)).body.enrollment_requests
  const ask = () => enrolById(instructor, courseId, student.id)
  const roster = async () =>
    (await api.as(instructor).send(listCourseStudents, { params })).body.map(({ username, state }) => [username, state])
  await ask()
  const course_name = (await api.as(instructor).send(getCourse, { params })).body.name
  expect(await asked()).toEqual([{ course_id: courseId, course_name }])
  const mail = await waitForMail(server.running.services.config.dataDir, `${student.username}@school.example`)
  expect(mail.subject).toBe(`${course_name} would like to enrol you`)
  expect((await api.as(student).send(getStudentCourse, { params })).status).toBe(404)
  expect((await api.as(student).send(declineEnrollment, { params })).status).toBe(200)
  await ask()
  expect([await asked(), await roster()]).toEqual([undefined, [[`user ${student.id}`, 'waiting']]])
  expect((await api.as(student).send(acceptEnrollment, { params })).status).toBe(404)
  await api.as(instructor).send(removeStudent, { params: { courseId, userId: student.id } })
  await ask()
  passed = 31 * 24 * 3_600_000
  expect((await api.again(student).send(acceptEnrollment, { params })).status).toBe(404)
  passed = 0
  expect((await api.as(student).send(acceptEnrollment, { params })).body).toMatchObject({ id: courseId })
  expect([await asked(), await roster()]).toEqual([undefined, [[student.username, 'enrolled']]])
  expect((await api.as(student).send(listStudentAssignments, { params })).body).toEqual([])
})

it('lets an administrator enrol any student by ID', async () => {
  const { courseId } = await buildCourse(api, { students: 0 })
  const [admin, ada, grace] = [
    await buildPerson('admin'),
    await buildPerson('student'),
    await buildPerson('instructor'),
  ]
  expect((await enrolById(admin, courseId, ada.id)).status).toBe(201)
  expect((await enrolById(admin, courseId, grace.id)).status).toBe(422)
  expect((await enrolById(admin, courseId, NOBODY)).status).toBe(404)
})

it('shows nothing of an account whose address is not confirmed, by adding it, enrolling its ID or removing it', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const secret = await buildPerson('student', { email_verified: false })
  const email = `${secret.username}@school.example`
  for (const remove of [removeStudent, removeFromRoster]) {
    const added = await api.as(instructor).send(addStudent, { params: { courseId }, body: { email } })
    expect(added.body.message).toContain('unconfirmed address')
    expect((await enrolById(instructor, courseId, secret.id)).text).not.toContain(secret.username)
    const params = { courseId, userId: secret.id, studentId: secret.id }
    const removed = await api.as(instructor).send(remove, { params })
    expect(removed.status).toBe(200)
    expect(removed.text.replace(email, '')).not.toContain(secret.username)
    await api.as(instructor).send(removeStudent, { params })
  }
})

it('does not tell by removing an ID whether there is such an account', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const stranger = await buildPerson('student')
  for (const remove of [removeStudent, removeFromRoster]) {
    const messages = []
    for (const id of [NOBODY, stranger.id]) {
      const { status, body } = await api
        .as(instructor)
        .send(remove, { params: { courseId, userId: id, studentId: id } })
      messages.push([status, body.message])
    }
    expect(messages[0]).toEqual([404, 'This student is not enrolled in the course.'])
    expect(messages[1]).toEqual(messages[0])
  }
})
