import { getAssignment } from '@assay/shared/assignments.ts'
import { createCourse, enrolStudent, getCourse, removeStudent } from '@assay/shared/courses.ts'
import { exportGradedPapers, getGradedPaper } from '@assay/shared/graded-papers.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import type { Caller } from '../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

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
  const statuses = new Map<number, number>()
  for (let id = 1; id <= 602; id++) {
    const user_id = 1_000_000 + id
    const { status } = await api.as(instructor).send(enrolStudent, { params: { courseId }, body: { user_id } })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [404, 600],
    [429, 2],
  ])
  // Each teacher is counted separately.
  const other = await buildCourse(api, { students: 1 })
  expect(other.students).toHaveLength(1)
})
