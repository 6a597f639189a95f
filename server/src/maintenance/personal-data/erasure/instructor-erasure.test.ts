import { addInstructor, createCourse, getCourse } from '@assay/shared/courses.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { eraseOwnAccount, eraseUser, previewErasure, previewOwnErasure } from '@assay/shared/personal-data.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, expect, it } from 'vitest'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../../records/courses/course.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { ErasureModel } from '../../../records/people/erasure.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { ReadingModel } from '../../../records/submissions/reading.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildAssignment, buildPerson } from '../../../testing/build-course.ts'
import { buildGradedStudents } from '../../../testing/graded-student.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { searchDatabase } from '../../../testing/stored-data.ts'
import { storeErasure } from './erasures.ts'
import { leaveCourses } from './leave-courses.ts'

const { api, server } = useTestApi()

let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

async function waitUntilErased({ id }: Person) {
  await expect.poll(async () => (await ErasureModel.findById(id).lean())?.state).toBe('done')
}

const erase = ({ id, username }: Person) =>
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
  // A merge that was interrupted: the paper is the LMS's account's still, the identity the other's already.
  await SubmissionModel.updateOne({ _id: paper.submissionId }, { student_id: merged.id })
  const sub = 'sub-of-merged'
  await LtiIdentityModel.create({
    _id: 71,
    issuer: 'https://a.example',
    sub,
    user_id: person.id,
    created_at: new Date(),
  })

  expect((await erase(merged)).body.detail).toMatch(/merged into another one/)
  const own = await api.as(admin).send(previewErasure, { params: { userId: person.id } })
  expect(own.body.papers).toBe(1)
  const asked = await erase(person)
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
  await erase(person)
  await waitUntilErased(person)
  const { files } = server.running.services
  expect(await files.size(paper.hash)).not.toBeNull()
  expect(await ReadingModel.exists({ _id: paper.hash })).not.toBeNull()
  const kept = await api.as(owner).send(getSubmission, { params: { assignmentId, submissionId: other.submissionId } })
  expect([kept.status, kept.body.student?.username]).toEqual([200, classmate.username])

  await erase(classmate)
  await waitUntilErased(classmate)
  expect(await files.size(paper.hash)).toBeNull()
  expect(await ReadingModel.exists({ _id: paper.hash })).toBeNull()
})
