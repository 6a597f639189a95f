import { createCourse, enrolStudent, getCourse, removeStudent } from '@assay/shared/courses.ts'
import { addStudent, removeFromRoster } from '@assay/shared/roster.ts'
import { expect, it } from 'vitest'
import type { Person } from '../../testing/api.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

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

it('refuses everybody else alike, without a name, an address or whether there is such an account', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const elsewhere = await buildCourse(api, { students: 1 })
  const admin = await buildPerson('admin')
  const strangers = [await buildPerson('student'), elsewhere.students[0], elsewhere.instructor, instructor, admin]
  const answers = new Set<string>()
  for (const id of [NOBODY, ...strangers.map((person) => person?.id ?? 0)]) {
    const { status, body } = await enrolById(instructor, courseId, id)
    const { request_id: _, timestamp: __, ...said } = body as typeof body & { timestamp?: unknown }
    answers.add(JSON.stringify({ status, ...said }))
  }
  expect(answers.size).toBe(1)
  const [answer = ''] = answers
  expect(JSON.parse(answer)).toMatchObject({
    status: 404,
    message: 'No student of your courses has this user ID. Add them by email in the roster.',
  })
  expect((await api.as(instructor).send(getCourse, { params: { courseId } })).body.students).toEqual([])
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
    expect((await enrolById(instructor, courseId, secret.id)).status).toBe(404)
    const params = { courseId, userId: secret.id, studentId: secret.id }
    const removed = await api.as(instructor).send(remove, { params })
    expect(removed.status).toBe(200)
    expect(removed.text.replace(email, '')).not.toContain(secret.username)
    expect((await enrolById(instructor, courseId, secret.id)).status).toBe(404)
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
