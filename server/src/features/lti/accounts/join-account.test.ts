import { publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { getMe, signIn } from '@assay/shared/auth.ts'
import { addInstructor, getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { getLaunch, joinAccount, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { ReleaseModel } from '../../../records/grading/grade.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildPerson, correctAnswers, drawPaper, gradeAssignment, quizFiles } from '../../../testing/build-course.ts'
import {
  buildLaunchedAssignment,
  type LaunchedCaller,
  launchAndSignIn,
  setUpCourse,
  useRegisteredLms,
} from '../../../testing/registered-lms.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { mergeAccount } from './join-account.routes.ts'

const { api, server } = useTestApi({ LIMIT_SIGN_IN_ACCOUNT: '3' })
const school = useRegisteredLms(server)

const join = (who: LaunchedCaller, { username, password }: Pick<Person, 'username' | 'password'>) =>
  who.caller.send(joinAccount, { body: { username, password } })

async function readyClass(students = 1) {
  const room = await setUpCourse(school(), students)
  const { assignmentId, asTeacher, instructor } = await buildLaunchedAssignment(api, room)
  await room.teacherLaunch.caller.send(publishAssignment, { params: { assignmentId } })
  return { ...room, assignmentId, asTeacher, instructor }
}

async function studentOf(room: Awaited<ReturnType<typeof readyClass>>) {
  const [student] = room.students
  if (!student) throw new Error('a student')
  return { student, launch: await launchAndSignIn(school(), { as: student, link: room.link }) }
}

describe('a student joins their account', () => {
  it('moves their enrolment, paper, grade and the score in the LMS', async () => {
    const room = await readyClass()
    const { student, launch } = await studentOf(room)
    const { assignmentId, courseId, asTeacher, instructor, teacherLaunch } = room
    const params = { assignmentId }
    const due = { due_at: '2040-01-01T00:00:00Z' }
    await teacherLaunch.caller.send(updateAssignment, { params, body: due })
    await AssignmentModel.updateOne(
      { _id: assignmentId },
      { $set: { extensions: [{ student_id: launch.userId, due_at: new Date('2040-02-01'), closes_at: null }] } },
    )
    const paper = { name: 'mine.pdf', bytes: await drawPaper({ full_name: student.name }, correctAnswers) }
    const handed = await launch.caller.send(handInPaper, { params, body: {}, files: { file: [paper] } })
    expect(handed.status).toBe(201)
    await gradeAssignment(asTeacher, instructor, assignmentId)
    await teacherLaunch.caller.send(publishAssignment, { params })
    const target = await buildPerson('student')

    const joined = await join(launch, target)
    expect(joined).toMatchObject({ status: 200, body: { launch: { id: launch.launch.id, role: 'student' } } })
    expect(joined.body.launch.can_join_account).toBe(false)
    const after = api.withToken(joined.body.access_token)
    expect((await after.send(getMe)).body).toMatchObject({ id: target.id, role: 'student' })
    expect((await after.send(getLaunch)).body.path).toBe(`/student/assignments/${assignmentId}`)
    const seen = await after.send(getStudentAssignment, { params })
    expect(seen.body).toMatchObject({
      is_graded: true,
      submission_id: expect.any(Number),
      due_at: expect.stringContaining('2040-02-01'),
    })
    expect((await api.as(target).send(getStudentAssignment, { params })).body).toMatchObject({ is_graded: true })

    const submissionId = seen.body.submission_id ?? 0
    const row = await teacherLaunch.caller.send(getSubmission, { params: { assignmentId, submissionId } })
    expect(row.body).toMatchObject({ student_identifier: target.username })
    const listed = await teacherLaunch.caller.send(listCourseStudents, { params: { courseId } })
    expect(listed.body.map(({ id }) => id)).toEqual([target.id])
    await expect
      .poll(async () => (await LtiScoreModel.find({ sub: student.id }).lean()).map((one) => one.user_id))
      .toEqual([target.id])
    const left = { user_id: launch.userId }
    expect(
      await Promise.all([
        LtiIdentityModel.countDocuments(left),
        LtiMemberModel.countDocuments(left),
        LtiScoreModel.countDocuments(left),
        EnrollmentModel.countDocuments(left),
        SubmissionModel.countDocuments({ student_id: launch.userId }),
        ReleaseModel.countDocuments({ student_id: launch.userId }),
      ]),
    ).toEqual([0, 0, 0, 0, 0, 0])

    // The next launch does not rename them.
    const next = await launchAndSignIn(school(), { as: student, link: room.link })
    expect(next.userId).toBe(target.id)
    expect(await UserModel.findById(target.id).lean()).toMatchObject({
      username: target.username,
      full_name: null,
      email: `${target.username}@school.example`,
    })
    const audit = await AuditModel.findOne({ action: 'user.joined_with_lms', 'subject.user_id': target.id }).lean()
    expect(audit).toMatchObject({ after: { account: target.username } })
  })

  it('ends the old account: its sessions, and every way to reactivate it', async () => {
    const room = await readyClass()
    const { student, launch } = await studentOf(room)
    const tab = await launchAndSignIn(school(), { as: student, link: room.link })
    const target = await buildPerson('student')
    const { body } = await join(launch, target)
    expect((await launch.caller.send(getMe)).status).toBe(401)
    expect((await tab.caller.send(getMe)).status).toBe(401)
    expect(await UserModel.findById(launch.userId).lean()).toMatchObject({
      account: 'deactivated',
      joined_into: target.id,
    })
    const params = { launchId: launch.launch.id }
    const resumed = await api.nobody.send(resumeLaunch, { params, headers: { cookie: launch.cookie } })
    expect(resumed).toMatchObject({ status: 200, body: { launch: { id: body.launch.id } } })
    expect((await api.withToken(resumed.body.access_token).send(getMe)).body.id).toBe(target.id)
  })

  it('retains both papers where both accounts have submitted one', async () => {
    const room = await readyClass()
    const { launch } = await studentOf(room)
    const { assignmentId, courseId } = room
    const target = await buildPerson('student')
    await EnrollmentModel.create({
      _id: `${courseId}/${target.id}`,
      course_id: courseId,
      user_id: target.id,
      enrolled_at: new Date(),
      added_by: 'code',
    })
    const { blank, key } = await quizFiles()
    const handIn = { params: { assignmentId }, body: {} }
    await api.as(target).send(handInPaper, { ...handIn, files: { file: [blank] } })
    await launch.caller.send(handInPaper, { ...handIn, files: { file: [key] } })
    expect((await join(launch, target)).status).toBe(200)
    expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId, student_id: target.id })).toBe(2)
  })

  it('comes to the same when it is asked for again after breaking off half-way', async () => {
    const room = await readyClass()
    const { launch } = await studentOf(room)
    const { assignmentId } = room
    const { blank } = await quizFiles()
    await launch.caller.send(handInPaper, { params: { assignmentId }, body: {}, files: { file: [blank] } })
    const target = await buildPerson('student')
    const [from, to] = await Promise.all([
      UserModel.findById(launch.userId).lean(),
      UserModel.findById(target.id).lean(),
    ])
    if (!from || !to) throw new Error('two accounts')
    // The process dies before it closes the old account.
    await mergeAccount(from, to)
    await mergeAccount(from, to)
    await LtiIdentityModel.updateMany({ user_id: from._id }, { $set: { user_id: to._id } })
    const joined = await join(launch, target)
    expect(joined.status).toBe(200)
    const seen = await api.withToken(joined.body.access_token).send(getStudentAssignment, { params: { assignmentId } })
    expect(seen.body.submission_id).toEqual(expect.any(Number))
  })

  it('goes to one of two accounts it is joined with at the same moment, whole', async () => {
    const room = await readyClass()
    const { launch } = await studentOf(room)
    const { assignmentId } = room
    const { blank } = await quizFiles()
    await launch.caller.send(handInPaper, { params: { assignmentId }, body: {}, files: { file: [blank] } })
    const targets = await Promise.all([buildPerson('student'), buildPerson('student')])
    const replies = await Promise.all(targets.map((target) => join(launch, target)))
    const [won] = targets.filter((_, i) => replies[i]?.status === 200)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const [place] = await EnrollmentModel.find({ course_id: room.courseId }).lean()
    const [paper] = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
    expect([place?.user_id, paper?.student_id]).toEqual([won?.id, won?.id])
    expect(await LtiIdentityModel.countDocuments({ user_id: won?.id })).toBe(1)
  })

  it('wants the password, by the limit of signing in', async () => {
    const { launch } = await studentOf(await readyClass())
    const target = await buildPerson('student')
    const wrong = { username: target.username, password: 'wrong' }
    for (let i = 0; i < 3; i++)
      expect(await join(launch, wrong)).toMatchObject({
        status: 422,
        body: { validation_errors: [{ field: 'password' }] },
      })
    expect((await join(launch, target)).status).toBe(429)
    const body = { username: target.username, password: target.password }
    expect((await api.nobody.send(signIn, { body })).status).toBe(429)
    expect((await launch.caller.send(getMe)).body.id).toBe(launch.userId)
  })

  it('refuses an administrator’s account, one that is deactivated or waits, and an LMS’s', async () => {
    const room = await readyClass(2)
    const { launch } = await studentOf(room)
    const admin = await buildPerson('admin')
    expect(await join(launch, admin)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Administrator accounts') },
    })
    for (const account of ['deactivated', 'pending'] as const) {
      const person = await buildPerson('instructor')
      await UserModel.updateOne({ _id: person.id }, { $set: { account } })
      expect((await join(launch, person)).status).toBe(403)
    }
    expect((await join(launch, { username: room.teacherLaunch.launch.id, password: '' })).status).toBe(422)
    expect((await launch.caller.send(getMe)).status).toBe(200)
  })

  it('refuses a second person of the LMS: two students are two', async () => {
    const room = await readyClass(2)
    const [one, two] = room.students
    if (!one || !two) throw new Error('two students')
    const target = await buildPerson('student')
    expect((await join(await launchAndSignIn(school(), { as: one, link: room.link }), target)).status).toBe(200)
    const other = await launchAndSignIn(school(), { as: two, link: room.link })
    expect((await join(other, target)).status).toBe(409)
  })

  it('is no call for who has joined already, or signed in by password', async () => {
    const { launch } = await studentOf(await readyClass())
    const target = await buildPerson('student')
    const { body } = await join(launch, target)
    const again = api.withToken(body.access_token)
    const other = await buildPerson('student')
    const given = { body: { username: other.username, password: other.password } }
    expect((await again.send(joinAccount, given)).status).toBe(403)
    expect((await api.as(other).send(joinAccount, given)).status).toBe(404)
  })

  it('stays a student, and no more, with an instructor’s account', async () => {
    const room = await readyClass()
    const { launch } = await studentOf(room)
    const instructor = await buildPerson('instructor')
    const joined = await join(launch, instructor)
    const after = api.withToken(joined.body.access_token)
    expect((await after.send(getMe)).body).toMatchObject({ id: instructor.id, role: 'student' })
    const course = await after.send(getCourse, { params: { courseId: room.courseId } })
    expect(course.body.instructors.map(({ id }) => id)).not.toContain(instructor.id)
    expect((await after.send(listCourseStudents, { params: { courseId: room.courseId } })).status).toBe(403)
    expect((await CourseModel.findById(room.courseId).lean())?.instructor_ids).not.toContain(instructor.id)
    expect((await api.as(instructor).send(getCourse, { params: { courseId: room.courseId } })).status).toBe(404)
  })
})

describe('an instructor joins their account', () => {
  it('brings courses and assignments along, and goes on where they were', async () => {
    const room = await readyClass()
    const target = await buildPerson('instructor')
    const joined = await join(room.teacherLaunch, target)
    expect(joined.body.launch).toMatchObject({
      role: 'instructor',
      path: `/assignments/${room.assignmentId}/submissions`,
    })
    const { courseId } = room
    const opened = await api.as(target).send(getCourse, { params: { courseId } })
    expect(opened.body.instructors.map(({ id }) => id)).toEqual([target.id])
    expect(await CourseModel.findById(courseId).lean()).toMatchObject({
      created_by: target.id,
      lms_instructor_ids: [target.id],
    })
    expect(await AssignmentModel.findById(room.assignmentId).lean()).toMatchObject({ created_by: target.id })
  })

  it('preserves their own enrolment in a course where the LMS gave another', async () => {
    const room = await readyClass()
    const target = await buildPerson('instructor')
    const { courseId } = room
    await room.teacherLaunch.caller.send(addInstructor, { params: { courseId }, body: { login: target.username } })
    await join(room.teacherLaunch, target)
    expect(await CourseModel.findById(courseId).lean()).toMatchObject({
      instructor_ids: [target.id],
      lms_instructor_ids: [],
    })
  })

  it('needs an account that may teach', async () => {
    const room = await readyClass()
    const student = await buildPerson('student')
    expect(await join(room.teacherLaunch, student)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('student account') },
    })
    const other = await readyClass(0)
    school().lms.enrol(other.course, room.teacher, 'Learner')
    const learning = await launchAndSignIn(school(), { as: room.teacher, link: other.link })
    expect((await join(learning, student)).status).toBe(409)
  })
})
