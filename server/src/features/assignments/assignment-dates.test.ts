import {
  createAssignment,
  getAssignment,
  listExtensions,
  publishAssignment,
  removeExtension,
  setExtension,
  unpublishAssignment,
  updateAssignment,
} from '@assay/shared/assignments.ts'
import { createCourse, enrolStudent } from '@assay/shared/courses.ts'
import { getStudentAssignment, handInPaper, listStudentAssignments } from '@assay/shared/students.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildCourse, buildEmptyAssignment, buildPerson, quizFiles } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

/** Within the lifetime of a CSRF token; far ahead, because the database removes sessions by the real clock. */
const at = (minute: number, second = 0) => new Date(Date.UTC(2096, 10, 23, 8, minute, second))
let now = at(8)
const { api } = useTestApi({}, { clock: { now: () => now } })
beforeEach(() => {
  now = at(8)
})

const pdf = (name: string) => ({ name, bytes: `%PDF-1.7\n${name}` })
const dates = { available_at: at(9).toISOString(), due_at: at(12).toISOString(), closes_at: at(14).toISOString() }

async function buildDated(late_rule: 'accept' | 'mark_late' | 'refuse' = 'mark_late', set: object = dates) {
  const { teacher, students, courseId, params } = await buildEmptyAssignment(api, { students: 2 })
  const [ada, ben] = students as [Person, Person]
  const update = (body: object) => teacher.send(updateAssignment, { params, body })
  await update({ ...set, late_rule })
  await teacher.send(publishAssignment, { params })
  return {
    teacher,
    ada,
    ben,
    courseId,
    params,
    update,
    handIn: (who: Person, name = 'mine.pdf') =>
      api.as(who).send(handInPaper, { params, body: {}, files: { file: [pdf(name)] } }),
    seen: async (who: Person) => (await api.as(who).send(getStudentAssignment, { params })).body,
    extend: (who: Person, due_at: Date, closes_at: Date | null = null) =>
      teacher.send(setExtension, {
        params: { ...params, studentId: who.id },
        body: { due_at: due_at.toISOString(), closes_at: closes_at?.toISOString() ?? null },
      }),
  }
}

describe('an assignment with dates', () => {
  it('is visible before it opens, and accepts no papers yet', async () => {
    const { ada, courseId, handIn } = await buildDated()
    const listed = await api.as(ada).send(listStudentAssignments, { params: { courseId } })
    expect(listed.body).toMatchObject([{ ...dates, state: 'upcoming', can_hand_in: false }])
    expect(listed.body[0]?.why_not).toContain('opens on 2096-11-23 08:09 UTC')
    expect(await handIn(ada)).toMatchObject({ status: 409, body: { error_code: 'hand_in_refused' } })
    expect(await SubmissionModel.countDocuments({ student_id: ada.id })).toBe(0)
  })

  it.each([
    ['accept', 201, false, 'overdue'],
    ['mark_late', 201, true, 'overdue'],
    ['refuse', 409, false, 'closed'],
  ] as const)('by the rule “%s” treats what comes after the due date so', async (rule, status, late, state) => {
    const { ada, ben, handIn, seen } = await buildDated(rule)
    now = at(12, 59)
    expect((await handIn(ada)).body).toMatchObject({ late: false, state: 'open', can_hand_in: true })
    now = at(13)
    expect((await handIn(ben)).status).toBe(status)
    expect(await seen(ben)).toMatchObject({ late, state, can_hand_in: rule !== 'refuse' })
    now = at(15)
    const closed = { state: 'closed', can_hand_in: false, why_not: expect.stringMatching(/closed on .* UTC/) }
    expect(await seen(ben)).toMatchObject(closed)
  })

  it('shows the teacher whether it is open', async () => {
    const { teacher, params } = await buildDated()
    const states = []
    for (const moment of [at(8), at(9), at(13), at(15)]) {
      now = moment
      states.push((await teacher.send(getAssignment, { params })).body.dates_state)
    }
    expect(states).toEqual(['upcoming', 'open', 'overdue', 'closed'])
  })
})

describe('an extension', () => {
  it('gives one student more time and no other', async () => {
    const { ada, ben, handIn, extend, seen } = await buildDated('refuse')
    now = at(10)
    expect((await extend(ada, at(15))).body).toMatchObject({ student: { id: ada.id }, due_at: at(15).toISOString() })
    now = at(14, 30)
    expect(await seen(ada)).toMatchObject({ state: 'open', due_at: at(15).toISOString() })
    expect((await handIn(ada)).body).toMatchObject({ late: false })
    expect(await handIn(ben)).toMatchObject({ status: 409 })
  })

  it('removes the late mark from a paper handed in before, and puts it back when removed', async () => {
    const { teacher, ada, ben, params, handIn, extend, seen } = await buildDated()
    now = at(13)
    await handIn(ada)
    await handIn(ben)
    expect((await seen(ada)).late).toBe(true)
    await extend(ada, at(13))
    expect([(await seen(ada)).late, (await seen(ben)).late]).toEqual([false, true])
    await teacher.send(removeExtension, { params: { ...params, studentId: ada.id } })
    expect((await seen(ada)).late).toBe(true)
  })

  it('can be changed, listed by name and removed, and is recorded in the audit log', async () => {
    const { teacher, ada, ben, params, extend } = await buildDated()
    await extend(ada, at(15))
    await extend(ben, at(16), at(17))
    await Promise.all([extend(ada, at(18)), extend(ada, at(18))])
    const list = async () => (await teacher.send(listExtensions, { params })).body
    await UserModel.updateOne({ _id: ada.id }, { $set: { full_name: 'Zora Lind' } })
    expect(await list()).toMatchObject([
      { student: { id: ada.id }, due_at: at(18).toISOString(), closes_at: null },
      { student: { id: ben.id }, due_at: at(16).toISOString(), closes_at: at(17).toISOString() },
    ])
    const remove = () => teacher.send(removeExtension, { params: { ...params, studentId: ada.id } })
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
    expect(await list()).toMatchObject([{ student: { id: ben.id } }])
    const entries = await AuditModel.find({ 'subject.assignment_id': params.assignmentId, action: /^extension/ })
    expect(entries.map(({ action }) => action)).toEqual([...Array(4).fill('extension.given'), 'extension.removed'])
  })

  it('is only for a student of the course, and only for more time', async () => {
    const { ada, extend, update } = await buildDated()
    expect((await extend(await buildPerson('student'), at(15))).status).toBe(404)
    expect(await extend(ada, at(12))).toMatchObject({ status: 422, body: { validation_errors: [{ field: 'due_at' }] } })
    expect((await extend(ada, at(15), at(14))).body.validation_errors).toMatchObject([{ field: 'closes_at' }])
    await update({ due_at: null })
    expect((await extend(ada, at(15))).body.message).toContain('no due date')
  })
})

describe('changing an assignment', () => {
  it('leaves omitted fields unchanged, and rejects dates out of order at their field', async () => {
    const { teacher, params, update } = await buildDated()
    expect((await update({ name: '  Quiz 4 ' })).body).toMatchObject({ title: 'Quiz 4', ...dates })
    expect((await update({ due_at: null })).body).toMatchObject({ due_at: null, closes_at: dates.closes_at })
    const refused = await update({ due_at: at(15).toISOString() })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        validation_errors: [{ field: 'closes_at', message: 'The closing date must not be before the due date.' }],
      },
    })
    expect((await update({ name: ' ' })).body.validation_errors).toMatchObject([{ field: 'name' }])
    const current = await teacher.send(getAssignment, { params })
    expect(current.body).toMatchObject({ title: 'Quiz 4', due_at: null })
    const entry = await AuditModel.findOne({
      action: 'assignment.changed',
      'subject.assignment_id': params.assignmentId,
    }).sort({ _id: -1 })
    expect(entry).toMatchObject({ after: { due_at: null } })
  })

  it('moves a draft with its papers to another course of the teacher, but not a published assignment', async () => {
    const { teacher, ada, params, update, extend, handIn } = await buildDated()
    await extend(ada, at(15))
    now = at(10)
    await handIn(ada)
    const other = (await teacher.send(createCourse, { body: { name: 'Other' } })).body
    expect(await update({ course_id: other.id })).toMatchObject({ status: 409 })
    await teacher.send(unpublishAssignment, { params })
    expect((await update({ course_id: other.id })).body).toMatchObject({ course_name: 'Other' })
    expect(await SubmissionModel.findOne({ assignment_id: params.assignmentId }).lean()).toMatchObject({
      course_id: other.id,
    })
    expect((await teacher.send(listExtensions, { params })).body).toEqual([])
    const { courseId: strange } = await buildCourse(api)
    expect((await update({ course_id: strange })).status).toBe(404)
    await teacher.send(enrolStudent, { params: { courseId: other.id }, body: { user_id: ada.id } })
    await teacher.send(publishAssignment, { params })
    expect((await handIn(ada)).status).toBe(201)
    expect(await SubmissionModel.countDocuments({ assignment_id: params.assignmentId })).toBe(2)
  })

  it('accepts dates on creation only in order', async () => {
    const { instructor, courseId } = await buildCourse(api)
    const { blank, key } = await quizFiles()
    const make = (body: object) =>
      api
        .as(instructor)
        .send(createAssignment, {
          body: { name: 'Dated', course_id: courseId, ...body },
          files: { blank_pdf: [blank], answer_key_pdf: [key] },
        })
    expect((await make({ ...dates, late_rule: 'refuse' })).body).toMatchObject({ ...dates, late_rule: 'refuse' })
    const refused = await make({ ...dates, due_at: at(7).toISOString() })
    expect(refused.body.validation_errors).toMatchObject([{ field: 'due_at' }])
    expect((await make({ due_at: '' })).body).toMatchObject({ due_at: null, late_rule: 'accept' })
  })
})
