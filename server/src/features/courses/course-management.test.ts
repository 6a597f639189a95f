import {
  deleteAssignment,
  deleteAssignments,
  getAssignment,
  previewDeletion,
  publishAssignment,
} from '@assay/shared/assignments.ts'
import {
  addInstructor,
  createCourse,
  createJoinCode,
  deleteCourse,
  deleteJoinCode,
  enrolStudent,
  getCourse,
  listCourses,
  listMyCourses,
  removeInstructor,
  removeStudent,
  updateCourse,
} from '@assay/shared/courses.ts'
import { exportGradedPapers, getGradedPaper } from '@assay/shared/graded-papers.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { Paging } from '@assay/shared/http/endpoint.ts'
import { formatJoinCode } from '@assay/shared/rules/join-code.ts'
import { joinCourse } from '@assay/shared/students.ts'
import { getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { sweepOrphans } from '../../maintenance/sweep-orphans.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../records/courses/course.model.ts'
import { PendingEnrollmentModel } from '../../records/courses/pending-enrollment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { type Caller, type Person, useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()

const paper = async (name: string) => ({ name, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) })

describe('editing a course', () => {
  it('records what was changed from what, and by whom', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const params = { courseId }
    const body = { name: ' Biology 8b ', description: '', course_code: 'BIO-8B' }
    const changed = await api.as(instructor).send(updateCourse, { params, body })
    expect(changed).toMatchObject({
      status: 200,
      body: { id: courseId, name: 'Biology 8b', description: null, course_code: 'BIO-8B' },
    })
    expect((await api.as(instructor).send(getCourse, { params })).body.name).toBe('Biology 8b')
    const entry = await AuditModel.findOne({ action: 'course.updated', 'subject.course_id': courseId }).lean()
    expect(entry).toMatchObject({ before: { course_code: null }, after: { course_code: 'BIO-8B' } })
    const nameless = { params, body: { name: null } }
    // @ts-expect-error what a form sends that left the name out
    expect((await api.as(instructor).send(updateCourse, nameless)).body.detail).toMatchObject([
      { loc: ['body', 'name'], msg: 'Course name is required' },
    ])
  })
})

describe('deleting a course', () => {
  it('deletes its assignments, papers and enrolments, and nothing of another course', async () => {
    const { instructor, courseId, students } = await buildCourse(api)
    const other = await buildCourse(api)
    await buildAssignment(api, { instructor, courseId }, [await paper('a.pdf'), await paper('b.pdf')])
    const untouched = await buildAssignment(api, { instructor: other.instructor, courseId: other.courseId }, [])
    const reply = await api.as(instructor).send(deleteCourse, { params: { courseId } })
    expect(reply.body.message).toMatch(
      /^Course "Course .*" and all its assignments and enrollments have been deleted successfully$/,
    )
    const left = { course_id: courseId }
    expect([
      await CourseModel.countDocuments({ _id: courseId }),
      await AssignmentModel.countDocuments(left),
      await SubmissionModel.countDocuments(left),
      await EnrollmentModel.countDocuments(left),
    ]).toEqual([0, 0, 0, 0])
    expect(await EnrollmentModel.countDocuments({ course_id: other.courseId })).toBe(2)
    expect(await AssignmentModel.countDocuments({ _id: untouched.assignmentId })).toBe(1)
    expect((await api.as(instructor).send(getCourse, { params: { courseId } })).status).toBe(404)
    const [student] = students
    if (!student) throw new Error('two students')
    expect((await api.as(student).send(listCourses)).body).toEqual([])
    expect(await AuditModel.findOne({ action: 'course.deleted', 'subject.course_id': courseId }).lean()).toMatchObject({
      actor_id: instructor.id,
      before: { name: expect.any(String) },
    })
  })

  it('leaves nothing anyone can open when it is interrupted, and the sweep deletes the rest', async () => {
    const { instructor, courseId, students } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [await paper('a.pdf')])
    const other = await buildCourse(api)
    await PendingEnrollmentModel.create({
      _id: `${courseId}/9`,
      course_id: courseId,
      user_id: 9,
      email: 'x@y.example',
      invited_by: 1,
      enrolled_at: new Date(),
    })
    await CourseModel.deleteOne({ _id: courseId })
    const opened = await api.as(instructor).send(getAssignment, { params: { assignmentId } })
    expect(opened.status).toBe(404)
    const [student] = students
    if (!student) throw new Error('two students')
    expect((await api.as(student).send(listCourses)).body).toEqual([])
    await sweepOrphans(server.running.services)
    expect([
      await AssignmentModel.countDocuments({ course_id: courseId }),
      await EnrollmentModel.countDocuments({ course_id: courseId }),
      await PendingEnrollmentModel.countDocuments({ course_id: courseId }),
      await EnrollmentModel.countDocuments({ course_id: other.courseId }),
    ]).toEqual([0, 0, 0, 2])
  })
})

describe('an instructor of a course', () => {
  it('is added by name or confirmed address and sees the course until removed', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const params = { courseId }
    const [byName, byAddress] = [await buildPerson('instructor'), await buildPerson('instructor')]
    const owner = api.as(instructor)
    for (const [person, login] of [
      [byName, byName.username.toUpperCase()],
      [byAddress, `${byAddress.username}@school.example`],
    ] as const) {
      expect((await api.as(person).send(getCourse, { params })).status).toBe(404)
      const added = await owner.send(addInstructor, { params, body: { login } })
      expect(added).toMatchObject({ status: 201, body: { id: person.id, username: person.username } })
      expect((await api.as(person).send(getCourse, { params })).status).toBe(200)
      expect((await owner.send(addInstructor, { params, body: { login } })).status).toBe(409)
    }
    expect((await owner.send(getCourse, { params })).body.instructors.map(({ id }) => id)).toEqual([
      instructor.id,
      byName.id,
      byAddress.id,
    ])
    await owner.send(removeInstructor, { params: { courseId, userId: byName.id } })
    expect((await api.as(byName).send(getCourse, { params })).status).toBe(404)
    const actions = await AuditModel.find({ 'subject.user_id': byName.id, action: /instructor/ }).lean()
    expect(actions.map(({ action }) => action)).toEqual(['course.instructor_added', 'course.instructor_removed'])
  })

  it('is never unknown, a student, pending, or an account with an unconfirmed address', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const params = { courseId }
    const student = await buildPerson('student')
    const unconfirmed = await buildPerson('instructor', { email_verified: false })
    for (const login of ['nobody-here', student.username, `${unconfirmed.username}@school.example`, ' ']) {
      const refused = await api.as(instructor).send(addInstructor, { params, body: { login } })
      expect([login, refused.status]).toEqual([login, 422])
    }
    expect((await CourseModel.findById(courseId).lean())?.instructor_ids).toEqual([instructor.id])
  })

  it('who created the course is removed by nobody else but an administrator', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const [second, admin] = [await buildPerson('instructor'), await buildPerson('admin')]
    await api.as(instructor).send(addInstructor, { params: { courseId }, body: { login: second.username } })
    const remove = (by: Person) => api.as(by).send(removeInstructor, { params: { courseId, userId: instructor.id } })
    expect(await remove(second)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('created') } })
    expect((await remove(admin)).status).toBe(200)
  })

  it('is left at the end, even when two leave at once', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const second = await buildPerson('instructor')
    const params = { courseId }
    await api.as(instructor).send(addInstructor, { params, body: { login: second.username } })
    await api.as(second).token()
    await Promise.all([
      api.as(instructor).send(removeInstructor, { params: { courseId, userId: instructor.id } }),
      api.as(second).send(removeInstructor, { params: { courseId, userId: second.id } }),
    ])
    const [last, ...others] = (await CourseModel.findById(courseId).lean())?.instructor_ids ?? []
    expect(others).toEqual([])
    const left = last === instructor.id ? instructor : second
    const refused = await api.as(left).send(removeInstructor, { params: { courseId, userId: left.id } })
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('last instructor') } })
  })
})

describe('deleting assignments', () => {
  it('deletes what the caller may delete and reports the rest', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const stranger = await buildCourse(api, { students: 0 })
    const [first, second] = [
      await buildAssignment(api, { instructor, courseId }, [await paper('a.pdf')]),
      await buildAssignment(api, { instructor, courseId }, []),
    ]
    const theirs = await buildAssignment(api, { instructor: stranger.instructor, courseId: stranger.courseId }, [])
    const assignment_ids = [first.assignmentId, theirs.assignmentId, second.assignmentId, 999_999]
    const { body } = await api.as(instructor).send(deleteAssignments, { body: { assignment_ids } })
    expect(body.results).toMatchObject({
      total_requested: 4,
      total_deleted: 2,
      successful_deletions: [first.assignmentId, second.assignmentId],
      failed_deletions: [],
      validation_failures: [{ id: theirs.assignmentId }, { id: 999_999 }],
    })
    expect(await AssignmentModel.countDocuments({ _id: { $in: assignment_ids } })).toBe(1)
    expect(await SubmissionModel.countDocuments({ assignment_id: first.assignmentId })).toBe(0)
    const none = await api.as(instructor).send(deleteAssignments, { body: { assignment_ids: [] } })
    expect(none.body.detail).toMatchObject([{ msg: 'No assignments selected for deletion' }])
  })

  it('warns before and after about what is deleted with them, released grades included', async () => {
    const { instructor, courseId, students } = await buildCourse(api, { students: 1 })
    const own = await paper(`${students[0]?.username}.pdf`)
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [own, await paper('other.pdf')])
    await gradeAssignment(api, instructor, assignmentId)
    const teacher = api.as(instructor)
    await teacher.send(publishAssignment, { params: { assignmentId } })
    const warnings = [
      '2 submissions with all files will be deleted.',
      '2 grades with feedback will be deleted.',
      '1 grade will disappear for students who can see them now.',
    ]
    const preview = await teacher.send(previewDeletion, { query: { ids: `${assignmentId}` } })
    expect(preview.body.validation_details.warnings).toEqual(warnings)
    const outsider = api.as(await buildPerson('instructor'))
    const hidden = await outsider.send(previewDeletion, { query: { ids: `${assignmentId}` } })
    expect(hidden.body.validation_details.warnings).toEqual([])
    const deleted = await teacher.send(deleteAssignment, { params: { assignmentId } })
    expect(deleted.body.validation_details.warnings).toEqual(warnings)
  })
})

const openings = (actor: { id: number }) =>
  AuditModel.find({ actor_id: actor.id, action: /opened_by_admin$/ })
    .sort({ _id: 1 })
    .lean()

it('records that an administrator opened a course, once a session', async () => {
  const { instructor, courseId } = await buildCourse(api)
  const paper = { name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) }
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [paper])
  await gradeAssignment(api, instructor, assignmentId)
  const ids = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const looks: ((caller: Caller) => Promise<{ status: number }>)[] = [
    (caller) => caller.send(getAssignment, { params: { assignmentId } }),
    (caller) => caller.send(listSubmissions, { params: { assignmentId } }),
    (caller) => caller.send(getSubmissionFile, { params: ids }),
    (caller) => caller.send(exportGrades, { params: { assignmentId } }),
    (caller) => caller.send(getGradedPaper, { params: ids }),
    (caller) => caller.send(exportGradedPapers, { params: { assignmentId } }),
    (caller) => caller.send(getCourse, { params: { courseId } }),
  ]
  for (const look of looks) {
    const admin = await buildPerson('admin')
    for (let again = 0; again < 2; again++) expect((await look(api.as(admin))).status).toBe(200)
    expect(await openings(admin)).toMatchObject([
      { action: 'course.opened_by_admin', subject: { course_id: courseId }, actor_role: 'admin' },
    ])
    await look(api.again(admin))
    expect(await openings(admin)).toHaveLength(2)
  }
  for (const look of looks) await look(api.as(instructor))
  expect(await openings(instructor)).toEqual([])
})

it('records the same for an assignment without a course', async () => {
  const { instructor } = await buildCourse(api)
  const { assignmentId } = await buildAssignment(api, { instructor }, [])
  const admin = await buildPerson('admin')
  await api.as(admin).send(getAssignment, { params: { assignmentId } })
  expect(await openings(admin)).toMatchObject([{ subject: { assignment_id: assignmentId } }])
})

it('records who was enrolled and removed, and by whom', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const student = await buildPerson('student')
  const other = (await api.as(instructor).send(createCourse, { body: { name: 'Another' } })).body.id
  await enrol(other, student)
  await api.as(instructor).send(enrolStudent, { params: { courseId }, body: { user_id: student.id } })
  await api.as(instructor).send(removeStudent, { params: { courseId, userId: student.id } })
  const subject = { course_id: courseId, user_id: student.id }
  const entries = await AuditModel.find({ actor_id: instructor.id, subject }).sort({ _id: 1 }).lean()
  expect(entries).toMatchObject([
    { action: 'student.enrolled', subject },
    { action: 'student.removed', subject },
  ])
})

it('limits enrolling by id, so that nobody can try all numbers', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const enrol = (user_id: number) => api.as(instructor).send(enrolStudent, { params: { courseId }, body: { user_id } })
  for (let i = 0; i < 600; i++) expect((await enrol(0)).status).toBe(422)
  expect((await enrol(1)).status).toBe(429)
})

describe('a list', () => {
  it('defaults to skip 0 and limit 100, and allows 500 at most', async () => {
    expect(Paging.parse({})).toEqual({ skip: 0, limit: 100 })
    const teacher = api.as(await buildPerson('instructor'))
    for (let i = 0; i < 101; i++) await teacher.send(createCourse, { body: { name: `Course ${i}` } })
    for (const endpoint of [listCourses, listMyCourses]) {
      const first = await teacher.send(endpoint)
      expect(first.body).toHaveLength(100)
      expect(first.headers.get('X-Total-Count')).toBe('101')
      expect((await teacher.send(endpoint, { query: { skip: 100 } })).body).toHaveLength(1)
      expect((await teacher.send(endpoint, { query: { limit: 501 } })).status).toBe(422)
    }
  })
})

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
    expect((await teacher.send(getCourse, { params })).body).toMatchObject({ student_count: 3, join_code: code })
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
