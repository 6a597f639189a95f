import { createManagedUser, reactivateUser } from '@assay/shared/admin.ts'
import { getMe, signIn } from '@assay/shared/auth.ts'
import { addInstructor, createCourse, getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { exportGrades, listRetainedGrades } from '@assay/shared/grades.ts'
import { eraseOwnAccount, eraseUser, previewErasure, previewOwnErasure } from '@assay/shared/personal-data.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { ErasureModel } from '../../../records/people/erasure.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { ReadingModel } from '../../../records/submissions/reading.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildCourse, buildPerson } from '../../../testing/build-course.ts'
import { buildGradedStudents } from '../../../testing/graded-student.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { searchDatabase } from '../../../testing/stored-data.ts'
import { leaveCourses } from './erase-papers.ts'
import { storeErasure } from './erasures.ts'

const { api, server } = useTestApi()

const erase = (who: Person, password = who.password) => api.as(who).send(eraseOwnAccount, { body: { password } })
const blockersOf = async (who: Person) => (await api.as(who).send(previewOwnErasure)).body.blockers
const stateOf = async ({ id }: Person) => (await ErasureModel.findById(id).lean())?.state
const waitUntilErased = (who: Person) => expect.poll(() => stateOf(who)).toBe('done')

let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

it('refuses a wrong password at its field, and changes nothing', async () => {
  const person = await buildPerson('student')
  await api.as(person).send(getMe)
  const before = await UserModel.findById(person.id).lean()
  const refused = await erase(person, 'not-their-password')
  expect(refused.status).toBe(422)
  expect(refused.body.validation_errors).toMatchObject([{ field: 'password', message: 'Password is incorrect' }])
  expect(await ErasureModel.exists({ _id: person.id })).toBeNull()
  expect(await UserModel.findById(person.id).lean()).toEqual(before)
  expect((await api.as(person).send(getMe)).status).toBe(200)
})

it('deletes what a student has, signs them out, and leaves the school the released score', async () => {
  const { person, classmate, owner, courseId, assignmentId, paper } = await buildGradedStudents(
    api,
    server.running.services,
  )
  const preview = await api.as(person).send(previewOwnErasure)
  expect(preview.body).toMatchObject({ blockers: [], papers: 1, retained_grades: 1, progress: null })
  const asked = await erase(person)
  expect(asked.status, asked.text).toBe(202)
  expect((await api.as(person).send(getMe)).status).toBe(401)
  const { username, password } = person
  expect((await api.nobody.send(signIn, { body: { username, password } })).status).toBe(401)
  await waitUntilErased(person)

  expect(await searchDatabase([username])).toEqual({})
  expect(await server.running.services.files.size(paper.hash)).toBeNull()
  const students = await api.as(owner).send(listCourseStudents, { params: { courseId } })
  expect(students.body.map(({ id }) => id)).toEqual([classmate.id])
  const placeholder = (await ErasureModel.findById(person.id).lean())?.placeholder ?? ''
  const csv = await api.as(owner).send(exportGrades, { params: { assignmentId } })
  expect(csv.text.split('\n').filter((line) => line.includes(placeholder))).toHaveLength(1)
  expect(csv.text).toContain(classmate.username)
  const kept = await api.as(owner).send(listRetainedGrades, { params: { assignmentId } })
  expect(kept.body).toMatchObject([{ id: paper.submissionId, placeholder, final_score: 100 }])
  const facts = await AuditModel.find({ action: 'user.erased', 'subject.user_id': person.id }).lean()
  expect(facts).toMatchObject([{ actor_id: person.id, actor_role: 'student' }])
})

it('is asked for twice at once, and done once', async () => {
  const person = await buildPerson('student')
  await api.as(person).token()
  const replies = await Promise.all([erase(person), erase(person)])
  expect(replies.map(({ status }) => status)).toContain(202)
  await waitUntilErased(person)
  expect(await AuditModel.countDocuments({ action: 'user.erased', 'subject.user_id': person.id })).toBe(1)
})

it('cannot be undone by an administrator', async () => {
  const person = await buildPerson('student')
  await erase(person)
  const back = await api.as(admin).send(reactivateUser, { params: { userId: person.id } })
  expect(back.status).toBe(409)
  await waitUntilErased(person)
})

it('frees the username and the address for somebody else', async () => {
  const person = await buildPerson('student')
  await erase(person)
  await waitUntilErased(person)
  const email = `${person.username}@school.example`
  const body = { username: person.username, email, role: 'student' as const, hand_over: 'once' as const }
  expect((await api.as(admin).send(createManagedUser, { body })).status).toBe(201)
})

describe('what has to be done first', () => {
  async function expectRefused(who: Person, words: RegExp) {
    expect((await blockersOf(who)).join(' ')).toMatch(words)
    const refused = await erase(who)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toMatch(words)
    expect(await ErasureModel.exists({ _id: who.id })).toBeNull()
    expect(await UserModel.findById(who.id).lean()).toMatchObject({ account: 'active', username: who.username })
  }

  it('is another administrator, before the only one leaves', async () => {
    await expectRefused(admin, /You are the only administrator/)
    const other = await buildPerson('admin')
    await UserModel.updateOne({ _id: other.id }, { account: 'deactivated' })
    await expectRefused(admin, /You are the only administrator/)
    await UserModel.updateOne({ _id: other.id }, { account: 'active' })
    expect(await blockersOf(admin)).toEqual([])
    await UserModel.updateOne({ _id: other.id }, { account: 'deactivated' })
  })

  it('is another instructor, for a course with students', async () => {
    const { instructor } = await buildCourse(api, { students: 1 })
    await api.as(instructor).send(createCourse, { body: { name: 'Nobody attends' } })
    await expectRefused(instructor, /You are the only instructor of “Course .*” *, which has students or papers/)
    expect(await blockersOf(instructor)).toHaveLength(1)
    const asked = await api
      .as(admin)
      .send(eraseUser, { params: { userId: instructor.id }, body: { username: instructor.username } })
    expect(asked.status).toBe(409)
    expect(asked.body.detail).toMatch(new RegExp(`${instructor.username} is the only instructor of`))
  })

  it('is nothing one can do where an LMS made the account, or others use it, too', async () => {
    const [lms, demo] = [await buildPerson('student'), await buildPerson('student')]
    for (const one of [lms, demo]) await api.as(one).token()
    await UserModel.updateOne({ _id: lms.id }, { from_lms: true })
    await UserModel.updateOne({ _id: demo.id }, { demo: true })
    await expectRefused(lms, /comes from your LMS. Ask your school, or an administrator of Assay/)
    await expectRefused(demo, /demo account, which others use too/)
    for (const { id } of [lms, demo]) {
      const { body } = await api.as(admin).send(previewErasure, { params: { userId: id } })
      expect(body.blockers).toEqual([])
    }
  })

  it('is a password, where there is none', async () => {
    const person = await buildPerson('student')
    await api.as(person).token()
    await UserModel.updateOne({ _id: person.id }, { password_hash: null })
    expect(await blockersOf(person)).toEqual([expect.stringMatching(/no password to confirm with/)])
    expect((await erase(person)).status).toBe(422)
    expect(await ErasureModel.exists({ _id: person.id })).toBeNull()
  })
})

it('lets an administrator not delete themselves by the call for others, nor another by the wrong username', async () => {
  const own = await api.as(admin).send(eraseUser, { params: { userId: admin.id }, body: { username: admin.username } })
  expect([own.status, own.body.error_code]).toEqual([409, 'own_account'])
  const person = await buildPerson('student')
  const params = { userId: person.id }
  const wrong = await api.as(admin).send(eraseUser, { params, body: { username: 'next-row' } })
  expect(wrong.status).toBe(422)
  expect(wrong.body.validation_errors).toMatchObject([{ field: 'username' }])
  expect(await ErasureModel.exists({ _id: person.id })).toBeNull()
})

it('goes on with one that failed, whatever the username is by now', async () => {
  const person = await buildPerson('student')
  const params = { userId: person.id }
  const body = { username: person.username }
  await api.as(admin).send(eraseUser, { params, body })
  await waitUntilErased(person)
  await ErasureModel.updateOne({ _id: person.id }, { state: 'failed', step: 9 })
  const again = await api.as(admin).send(eraseUser, { params, body })
  expect(again.status).toBe(202)
  await waitUntilErased(person)
})

const eraseByAdmin = ({ id, username }: Person) =>
  api.as(admin).send(eraseUser, { params: { userId: id }, body: { username } })

it('leaves courses that others teach, and deletes those that nobody else teaches or attends', async () => {
  const { owner, courseId, assignmentId, person, paper } = await buildGradedStudents(api, server.running.services)
  const second = await buildPerson('instructor')
  await api.as(owner).send(addInstructor, { params: { courseId }, body: { login: second.username } })
  const empty = await api.as(owner).send(createCourse, { body: { name: 'Nobody attends' } })
  const { assignmentId: loose } = await buildAssignment(api, { instructor: owner }, [])
  const preview = await api.as(owner).send(previewOwnErasure)
  expect(preview.body).toMatchObject({ blockers: [], courses_left: 1, courses_deleted: 1, assignments_deleted: 1 })
  const asked = await api.as(owner).send(eraseOwnAccount, { body: { password: owner.password } })
  expect(asked.status, asked.text).toBe(202)
  await waitUntilErased(owner)
  expect((await CourseModel.findById(courseId).lean())?.instructor_ids).toEqual([second.id])
  expect(await CourseModel.findById(empty.body.id)).toBeNull()
  expect(await AssignmentModel.findById(loose)).toBeNull()
  expect(await searchDatabase([owner.username])).toEqual({})
  const seen = await api.as(second).send(getSubmission, { params: { assignmentId, submissionId: paper.submissionId } })
  expect([seen.status, seen.body.student?.username]).toEqual([200, person.username])
  expect((await api.as(person).send(getStudentAssignment, { params: { assignmentId } })).status).toBe(200)
  const csv = await api.as(second).send(exportGrades, { params: { assignmentId } })
  expect(csv.text).not.toContain('Deleted')
  const course = await api.as(second).send(getCourse, { params: { courseId } })
  expect(course.body.instructors.map(({ id }) => id)).toEqual([second.id])
})

it('keeps a course that a student joined after its only instructor asked to be deleted, for an administrator', async () => {
  const teacher = await buildPerson('instructor')
  const { body } = await api.as(teacher).send(createCourse, { body: { name: 'Joined late' } })
  const student = await buildPerson('student')
  const user = await UserModel.findById(teacher.id).lean()
  if (!user) throw new Error('the teacher')
  const { services } = server.running
  const actor = { id: teacher.id, role: 'instructor' as const, sessionId: 'none' }
  const erasure = await storeErasure(user, [teacher.id], actor, services.clock.now())
  await EnrollmentModel.create({
    _id: `${body.id}/${student.id}`,
    course_id: body.id,
    user_id: student.id,
    enrolled_at: new Date(),
  })
  await leaveCourses({ erasure, accounts: [user], services, signal: new AbortController().signal })
  expect((await CourseModel.findById(body.id).lean())?.instructor_ids).toEqual([])
  expect((await api.as(admin).send(getCourse, { params: { courseId: body.id } })).status).toBe(200)
})

it('deletes an LMS’s account that was merged into it, with what is still there', async () => {
  const { owner, assignmentId, person, paper } = await buildGradedStudents(api, server.running.services)
  const merged = await buildPerson('student')
  await UserModel.updateOne(
    { _id: merged.id },
    { from_lms: true, joined_into: person.id, account: 'deactivated', password_hash: null },
  )
  // An interrupted merge: the paper still belongs to the LMS's account, the identity to the other.
  await SubmissionModel.updateOne({ _id: paper.submissionId }, { student_id: merged.id })
  const sub = 'sub-of-merged'
  await LtiIdentityModel.create({
    _id: 71,
    issuer: 'https://a.example',
    sub,
    user_id: person.id,
    created_at: new Date(),
  })

  expect((await eraseByAdmin(merged)).body.detail).toMatch(/merged into another one/)
  const own = await api.as(admin).send(previewErasure, { params: { userId: person.id } })
  expect(own.body.papers).toBe(1)
  const asked = await eraseByAdmin(person)
  expect(asked.status, asked.text).toBe(202)
  await waitUntilErased(person)
  expect(await searchDatabase([person.username, merged.username, sub])).toEqual({})
  expect(await SubmissionModel.findById(paper.submissionId)).toBeNull()
  const accounts = await UserModel.find({ _id: { $in: [person.id, merged.id] } }).lean()
  expect(new Set(accounts.map(({ full_name }) => full_name)).size).toBe(1)
  const csv = await api.as(owner).send(exportGrades, { params: { assignmentId } })
  expect(csv.text).toContain(accounts[0]?.full_name)
  const { body } = await api.as(admin).send(previewErasure, { params: { userId: merged.id } })
  expect(body.progress?.state).toBe('done')
})

it('keeps a file, and what was read from it, while another’s paper is the same', async () => {
  const { owner, assignmentId, person, classmate, paper, other } = await buildGradedStudents(
    api,
    server.running.services,
    { shared: true },
  )
  expect(other.hash).toBe(paper.hash)
  await eraseByAdmin(person)
  await waitUntilErased(person)
  const { files } = server.running.services
  expect(await files.size(paper.hash)).not.toBeNull()
  expect(await ReadingModel.exists({ _id: paper.hash })).not.toBeNull()
  const kept = await api.as(owner).send(getSubmission, { params: { assignmentId, submissionId: other.submissionId } })
  expect([kept.status, kept.body.student?.username]).toEqual([200, classmate.username])
  await eraseByAdmin(classmate)
  await waitUntilErased(classmate)
  expect(await files.size(paper.hash)).toBeNull()
  expect(await ReadingModel.exists({ _id: paper.hash })).toBeNull()
})
