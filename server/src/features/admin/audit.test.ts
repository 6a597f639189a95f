import { changeUserRole, listAudit, listAuditActions } from '@assay/shared/admin.ts'
import { createCourse } from '@assay/shared/courses.ts'
import { beforeAll, expect, it } from 'vitest'
import { AuditModel, recordAudit } from '../../audit/audit.service.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { type Caller, type Person, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()
let person: Person
let admin: Caller
beforeAll(async () => {
  person = await buildPerson('admin', { full_name: 'Alma Admin' })
  admin = api.as(person)
})

it('names who did what to whom, with before and after', async () => {
  const student = await buildPerson('student')
  await admin.send(changeUserRole, { params: { userId: student.id }, body: { role: 'instructor' } })
  const { body } = await admin.send(listAudit, { query: { person: student.username } })
  expect(body).toMatchObject([
    {
      action: 'user.role_changed',
      actor: { id: person.id, username: person.username, full_name: 'Alma Admin', role: 'admin' },
      subjects: [{ kind: 'user', id: student.id, name: student.username }],
      before: { role: 'student' },
      after: { role: 'instructor' },
    },
  ])
})

it('finds what someone did and what was done to them, by action and by time, newest first', async () => {
  const { instructor, students, courseId } = await buildCourse(api, { students: 2 })
  const { body: both } = await admin.send(listAudit, { query: { person: instructor.username } })
  expect(both.map((entry) => entry.action)).toEqual(['student.enrolled', 'student.enrolled'])
  expect(both[0]?.subjects).toContainEqual({ kind: 'course', id: courseId, name: expect.any(String) })
  const one = await admin.send(listAudit, { query: { person: students[0]?.username ?? '' } })
  expect(one.body).toHaveLength(1)
  const action = { action: 'user.role_changed', person: instructor.username }
  expect((await admin.send(listAudit, { query: action })).body).toEqual([])
  const now = new Date().toISOString()
  const after = await admin.send(listAudit, { query: { person: instructor.username, from: now } })
  const before = await admin.send(listAudit, { query: { person: instructor.username, to: now, limit: 1 } })
  expect(after.body).toEqual([])
  expect([before.body.length, before.headers.get('x-total-count')]).toEqual([1, '2'])
  expect((await admin.send(listAuditActions)).body).toContain('student.enrolled')
  const nobody = await admin.send(listAudit, { query: { person: 'nobody-of-that-name' } })
  expect(nobody.body).toEqual([])
})

it('names what is deleted by its id alone', async () => {
  const instructor = await buildPerson('instructor')
  const course = await api.as(instructor).send(createCourse, { body: { name: 'Short-lived' } })
  const actor = { id: instructor.id, role: 'instructor', sessionId: 's' } as const
  await recordAudit(actor, 'course.deleted', { course_id: course.body.id }, new Date())
  await CourseModel.deleteOne({ _id: course.body.id })
  const { body } = await admin.send(listAudit, { query: { person: instructor.username } })
  expect(body[0]?.subjects).toEqual([{ kind: 'course', id: course.body.id, name: null }])
  expect(await AuditModel.countDocuments({ 'subject.course_id': course.body.id })).toBeGreaterThan(0)
})
