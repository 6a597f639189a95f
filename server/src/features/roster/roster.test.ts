import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { addStudent, addStudentsFromCsv, removeFromRoster, resendRosterInvitation } from '@assay/shared/roster.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { waitForMail } from '../../testing/mail-server.ts'
import { useTestApi } from '../../testing/server.ts'
import { activatePendingEnrollments, addEnrollment } from '../courses/enrollment.service.ts'

const { api, server } = useTestApi()

async function buildRoster() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const params = { courseId }
  return {
    instructor,
    courseId,
    params,
    teacher,
    add: async (body: { email: string; external_user_id?: string; sis_user_id?: string }) =>
      (await teacher.send(addStudent, { params, body })).body,
    upload: (bytes: string | Buffer, name = 'class.csv') =>
      teacher.send(addStudentsFromCsv, { params, files: { file: [{ name, bytes }] } }),
    list: async (query = {}) => (await teacher.send(listCourseStudents, { params, query })).body,
  }
}

let count = 0
const address = () => `student-${++count}@roster.example`

const mailTo = (email: string) => waitForMail(server.running.services.config.dataDir, email)

describe('adding one student', () => {
  it('enrols and notifies an account with a confirmed address, with the school’s numbers', async () => {
    const { add, list, courseId, instructor } = await buildRoster()
    const email = address()
    const student = await buildPerson('student', { email })
    const reply = await add({ email: email.toUpperCase(), external_user_id: ' X-1 ', sis_user_id: '0042' })
    expect(reply.success).toBe(true)
    expect(await list()).toMatchObject([
      { id: student.id, state: 'enrolled', external_user_id: 'X-1', sis_user_id: '0042' },
    ])
    const subject = { course_id: courseId, user_id: student.id }
    const entry = await AuditModel.findOne({ action: 'student.enrolled', subject }).lean()
    expect(entry?.actor_id).toBe(instructor.id)
    expect((await mailTo(email)).subject).toContain('You are enrolled in')
  })

  it('creates and invites a missing account, once', async () => {
    const { add, list } = await buildRoster()
    const email = address()
    expect(await add({ email })).toEqual({ success: true, message: `${email} was enrolled and invited by email.` })
    expect(await list()).toMatchObject([{ email, state: 'invited' }])
    expect((await mailTo(email)).subject).toContain('You are invited to')
    expect(await add({ email })).toEqual({ success: false, message: `${email} is already enrolled in this course.` })
    expect(await list()).toHaveLength(1)
  })

  it('adds a pending enrolment for an unconfirmed address, shows nothing of the account, and activates it for the owner alone', async () => {
    const { add, list, params, teacher } = await buildRoster()
    const email = address()
    const squatter = await buildPerson('student', { email, full_name: 'Not Ada', email_verified: false })
    expect((await add({ email, sis_user_id: '7' })).success).toBe(true)
    expect(await list()).toMatchObject([{ email, username: email, full_name: null, state: 'waiting' }])
    expect((await teacher.send(getCourse, { params })).body.student_count).toBe(0)
    expect(await list({ state: 'enrolled' })).toEqual([])

    // With another address confirmed, the pending enrolment is not theirs.
    const other = { email: 'other@roster.example', email_key: 'other@roster.example' }
    await UserModel.updateOne({ _id: squatter.id }, { $set: other })
    expect(await activatePendingEnrollments(squatter.id, new Date())).toEqual([])
    expect(await EnrollmentModel.countDocuments({ course_id: params.courseId })).toBe(0)

    await UserModel.updateOne({ _id: squatter.id }, { $set: { email, email_key: email } })
    expect(await activatePendingEnrollments(squatter.id, new Date())).toEqual([params.courseId])
    expect(await list()).toMatchObject([{ id: squatter.id, state: 'enrolled', sis_user_id: '7' }])
    expect(await PendingEnrollmentModel.countDocuments({ course_id: params.courseId })).toBe(0)
  })

  it('does not verify a student who joined by code with an unconfirmed address', async () => {
    const { add, courseId } = await buildRoster()
    const email = address()
    const joined = await buildPerson('student', { email, email_verified: false })
    const course = { _id: courseId } as Parameters<typeof addEnrollment>[0]
    await addEnrollment(course, joined.id, { added_by: 'code' }, new Date())
    await add({ email, sis_user_id: '9' })
    const findStored = () => EnrollmentModel.findById(`${courseId}/${joined.id}`).lean()
    expect(await findStored()).toMatchObject({ added_by: 'code', sis_user_id: null })
    await activatePendingEnrollments(joined.id, new Date())
    expect(await findStored()).toMatchObject({ added_by: 'teacher', sis_user_id: '9' })
  })

  it('rejects accounts that are not students’, and says why at the field', async () => {
    const { add, teacher, params, list } = await buildRoster()
    const email = address()
    await buildPerson('instructor', { email })
    expect(await add({ email })).toMatchObject({
      success: false,
      message: expect.stringContaining('not a student account'),
    })
    const refused = await teacher.send(addStudent, { params, body: { email: '' } })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'email'], msg: 'Email is required' }] },
    })
    expect(await list()).toEqual([])
  })
})

describe('a roster by CSV', () => {
  it('enrols the good rows and says what is wrong with each bad one', async () => {
    const { upload, list } = await buildRoster()
    const [known, fresh, teacherAddress] = [address(), address(), address()]
    await buildPerson('student', { email: known })
    await buildPerson('instructor', { email: teacherAddress })
    const file = `\ufeffSIS_User_ID;Email\r\n1;${known}\r\n2;"${fresh}"\r\n3;nobody\r\n4;${teacherAddress}\r\n5;${fresh}\r\n`
    const { body } = await upload(file)
    expect(body).toMatchObject({ total_processed: 5, successful_enrollments: 2, failed_enrollments: 3, job_id: null })
    expect(body.results.map(({ row, success, created_user }) => [row, success, created_user])).toEqual([
      [2, true, false],
      [3, true, true],
      [4, false, false],
      [5, false, false],
      [6, false, false],
    ])
    expect(body.results[4]?.message).toBe('This address is already in row 3.')
    expect((await list()).map(({ email, sis_user_id }) => [email, sis_user_id]).sort()).toEqual(
      [
        [known, '1'],
        [fresh, '2'],
      ].sort(),
    )
  })

  it('changes nobody when it is sent again, and counts nobody as failed', async () => {
    const { upload, list } = await buildRoster()
    const file = `email\n${address()}\n${address()}\n`
    await upload(file)
    const before = await list()
    const again = await upload(file)
    expect(again.body).toMatchObject({ successful_enrollments: 2, failed_enrollments: 0 })
    expect(again.body.results.every(({ created_user }) => !created_user)).toBe(true)
    expect(await list()).toEqual(before)
  })

  it('rejects other files, and says what a file must be', async () => {
    const { upload, teacher, params } = await buildRoster()
    expect(await upload('email\na@b.example\n', 'class.xlsx')).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Please select a CSV file') },
    })
    expect(await upload('')).toMatchObject({ status: 422 })
    expect((await upload('name\nAda\n')).body.message).toContain('no column “email”')
    const none = await teacher.send(addStudentsFromCsv, { params, files: {} })
    expect(none).toMatchObject({ status: 400, body: { detail: 'Please select a CSV file' } })
  })
})

describe('the roster’s list', () => {
  it('searches by part of an address, a name or a number, and returns the total', async () => {
    const { upload, teacher, params, list } = await buildRoster()
    const unique = `u${++count}`
    const rows = Array.from({ length: 30 }, (_, i) => `${unique}-${i}@find.example,N${i}x,Ida Number${i}`)
    await upload(`email,sis_user_id,name\n${rows.join('\n')}\n`)
    const waiting = address()
    await buildPerson('student', { email: waiting, email_verified: false })
    await upload(`email\n${waiting}\n`)
    const found = async (search: string) => (await list({ search })).map(({ email }) => email)
    expect(await found(`${unique}-7@`)).toEqual([`${unique}-7@find.example`])
    expect(await found('NUMBER17')).toEqual([`${unique}-17@find.example`])
    expect(await found('n21x')).toEqual([`${unique}-21@find.example`])
    expect(await found(waiting)).toEqual([waiting])
    expect(await found('.*')).toEqual([])
    const page = await teacher.send(listCourseStudents, { params, query: { search: 'ida', skip: 25, limit: 10 } })
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([5, '30'])
    const first = await teacher.send(listCourseStudents, { params, query: { limit: 10 } })
    expect([first.body.length, first.body[0]?.state, first.headers.get('x-total-count')]).toEqual([10, 'waiting', '31'])
    const last = await teacher.send(listCourseStudents, { params, query: { skip: 30, limit: 10 } })
    expect(last.body).toHaveLength(1)
  })

  it('removes a student or a pending enrolment, and records who did it', async () => {
    const { add, list, teacher, params } = await buildRoster()
    const [enrolled, waiting] = [address(), address()]
    await buildPerson('student', { email: waiting, email_verified: false })
    await add({ email: enrolled })
    await add({ email: waiting })
    for (const { id, email } of await list()) {
      const ids = { ...params, studentId: id }
      expect((await teacher.send(removeFromRoster, { params: ids })).body).toEqual({
        success: true,
        message: `${email} was removed from the course.`,
      })
      expect((await teacher.send(removeFromRoster, { params: ids })).status).toBe(404)
      const subject = { course_id: params.courseId, user_id: id }
      expect(await AuditModel.countDocuments({ action: 'student.removed', subject })).toBe(1)
    }
    expect(await list()).toEqual([])
  })
})

describe('an invitation that was lost', () => {
  it('is sent again to invited and pending students, three times an hour, and audited', async () => {
    const { add, list, teacher, params } = await buildRoster()
    const [invited, waiting] = [address(), address()]
    await buildPerson('student', { email: waiting, email_verified: false })
    for (const email of [invited, waiting]) await add({ email })
    const { dataDir } = server.running.services.config
    for (const { id, email, state } of await list()) {
      await waitForMail(dataDir, email)
      const ids = { ...params, studentId: id }
      expect((await teacher.send(resendRosterInvitation, { params: ids })).body).toEqual({
        success: true,
        message:
          state === 'waiting'
            ? `The link to confirm the address was sent to ${email} again.`
            : `The invitation was sent to ${email} again.`,
      })
      await waitForMail(dataDir, email, 2)
      const subject = { course_id: params.courseId, user_id: id }
      expect(await AuditModel.countDocuments({ action: 'student.invited_again', subject })).toBe(1)
      for (let i = 0; i < 2; i++) await teacher.send(resendRosterInvitation, { params: ids })
      expect((await teacher.send(resendRosterInvitation, { params: ids })).status).toBe(429)
    }
  })

  it('is not sent to active accounts, nor to anybody outside the roster', async () => {
    const { add, list, teacher, params } = await buildRoster()
    const email = address()
    await buildPerson('student', { email })
    const stranger = await buildPerson('student')
    await add({ email })
    const [enrolled] = await list()
    const send = (studentId = 0) => teacher.send(resendRosterInvitation, { params: { ...params, studentId } })
    expect((await send(enrolled?.id)).body).toMatchObject({ success: false })
    expect((await send(stranger.id)).status).toBe(404)
    const subject = { 'subject.course_id': params.courseId, action: 'student.invited_again' }
    expect(await AuditModel.countDocuments(subject)).toBe(0)
  })
})
