import { createJoinCode, deleteJoinCode, getCourse } from '@assay/shared/courses.ts'
import { formatJoinCode } from '@assay/shared/rules/join-code.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

async function buildOpenCourse() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const params = { courseId }
  const newCode = async () => (await teacher.send(createJoinCode, { params })).body.join_code
  return { teacher, courseId, params, newCode, code: await newCode() }
}

describe('joining a course by its code', () => {
  it('enrols anyone with the code, however they type it, and records that they joined by code', async () => {
    const { teacher, courseId, params, code } = await buildOpenCourse()
    for (const typed of [code, code.toLowerCase(), ` ${formatJoinCode(code)} `]) {
      const student = await buildPerson('student')
      const joined = await api.as(student).send(joinCourse, { body: { code: typed } })
      expect(joined).toMatchObject({ status: 201, body: { id: courseId, assignment_count: 0 } })
      const stored = await EnrollmentModel.findById(`${courseId}/${student.id}`).lean()
      expect(stored?.added_by).toBe('code')
      const subject = { course_id: courseId, user_id: student.id }
      expect(await AuditModel.findOne({ action: 'student.joined', subject }).lean()).toBeTruthy()
    }
    expect((await teacher.send(getCourse, { params })).body).toMatchObject({
      student_count: 3,
      join_code: code,
    })
  })

  it('says when a student is enrolled already, and enrols nobody twice', async () => {
    const { teacher, params, code } = await buildOpenCourse()
    const student = api.as(await buildPerson('student'))
    await student.token()
    const twice = await Promise.all([1, 2].map(() => student.send(joinCourse, { body: { code } })))
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(twice.find(({ status }) => status === 409)?.body.detail).toMatch(/^You are already enrolled in “/)
    expect((await teacher.send(getCourse, { params })).body.student_count).toBe(1)
  })

  it('rejects a code that was changed or disabled', async () => {
    const { teacher, params, code, newCode } = await buildOpenCourse()
    const second = await newCode()
    const student = api.as(await buildPerson('student'))
    const tried = async (typed: string) => (await student.send(joinCourse, { body: { code: typed } })).status
    expect(await tried(code)).toBe(404)
    expect(await teacher.send(deleteJoinCode, { params })).toMatchObject({ status: 200 })
    expect(await tried(second)).toBe(404)
    const { body } = await teacher.send(getCourse, { params })
    expect([body.join_code, body.student_count]).toEqual([null, 0])
  })

  it('explains the format of a code when it is malformed', async () => {
    const student = api.as(await buildPerson('student'))
    for (const code of ['', 'ABC', 'ABCD-EFG0', 'ABCDEFGHJ']) {
      const refused = await student.send(joinCourse, { body: { code } })
      expect([code, refused.status]).toEqual([code, 422])
    }
  })

  it('shows the code to no student, and leaves it out of the audit log', async () => {
    const { courseId, params, code } = await buildOpenCourse()
    const student = api.as(await buildPerson('student'))
    await student.send(joinCourse, { body: { code } })
    expect((await student.send(getCourse, { params })).body.join_code).toBeNull()
    const entries = await AuditModel.find({ 'subject.course_id': courseId }).lean()
    expect(entries.length).toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toContain(code)
  })

  it('limits guessing codes, for the guesser alone', async () => {
    const { code } = await buildOpenCourse()
    const guesser = api.as(await buildPerson('student'))
    const statuses = []
    for (let i = 0; i < 21; i++) {
      statuses.push((await guesser.send(joinCourse, { body: { code: 'AAAAAAAA' } })).status)
    }
    expect(statuses).toEqual([...Array(20).fill(404), 429])
    const other = await api.as(await buildPerson('student')).send(joinCourse, { body: { code } })
    expect(other.status).toBe(201)
  })
})
