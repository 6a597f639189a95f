import { getAssignment, publishAssignment, updateAssignment } from '@assay/shared/assignments.ts'
import { addInstructor, getCourse } from '@assay/shared/courses.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { AccuracyCheckModel } from '../../records/grading/accuracy-check.model.ts'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { RunModel } from '../../records/grading/run.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { ClassScanModel } from '../../records/submissions/class-scan.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { ageAssignment, buildCourse, buildPerson } from '../../testing/build-course.ts'
import type { Person } from '../../testing/server.ts'

import {
  DAY,
  oldCheck,
  oldRegrade,
  oldScan,
  papersOf,
  pathOf,
  start,
  stored,
  useOldCourses,
  yearsAgo,
} from './testing/use-old-courses.ts'

const school = useOldCourses()
let lastId = 800_000

const run = (assignment_id: number, status: 'grading' | 'completed', finished_at: Date | null) => ({
  _id: lastId++,
  ...{ assignment_id, started_by: 1, status, planned: [], started_at: yearsAgo(3), grading_since: null, finished_at },
})

describe('a notice', () => {
  it('is given for what is older than the rule, with one mail for all of a course', async () => {
    const { instructor, courseId, old, older, recent, reply } = await school.buildNoticed()
    const delete_at = new Date(start + 14 * DAY).toISOString()
    expect(reply.upcoming).toEqual([
      { assignment_id: old.assignmentId, title: expect.any(String), papers: 3, delete_at },
      { assignment_id: older.assignmentId, title: expect.any(String), papers: 4, delete_at },
    ])
    const [mail, ...more] = await school.mailsTo(instructor)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Student work in Course .* will be deleted on 12 December 2096$/)
    expect(mail?.text).toContain('delete student work 2 years after the last activity')
    expect(mail?.text).toMatch(/: 3 papers\n.*: 4 papers\n/)
    expect(mail?.text).toContain(`/courses/${courseId}/edit`)

    expect((await school.api.as(instructor).send(getAssignment, recent)).body.work_deletion_at).toBeUndefined()
    expect((await school.api.as(instructor).send(getAssignment, old)).body.work_deletion_at).toBe(delete_at)
    const course = await school.api.as(instructor).send(getCourse, pathOf(courseId))
    expect(course.body.assignments.map(({ work_deletion_at }) => work_deletion_at)).toEqual([
      undefined,
      delete_at,
      delete_at,
    ])
    await school.review({ all: true })
    await school.review()
    expect(await school.mailsTo(instructor)).toHaveLength(1)
    expect((await stored(old.assignmentId))?.retention_notice?.delete_at.toISOString()).toBe(delete_at)
  })

  it('goes to every instructor, whatever mail they chose, and is shown to students nowhere', async () => {
    const built = await buildCourse(school.api, { students: 1 })
    const [second, silent] = [await buildPerson('instructor'), await buildPerson('instructor')]
    for (const { username } of [second, silent])
      await school.api
        .as(built.instructor)
        .send(addInstructor, { ...pathOf(built.courseId), body: { login: username } })
    const notifications = { email: true, grades: true, courses: false, reminders: true }
    await UserModel.updateOne({ _id: silent.id }, { $set: { notifications } })
    const { params } = await school.buildOld(built)
    await school.api.as(built.instructor).send(publishAssignment, { params })
    await ageAssignment(params.assignmentId, yearsAgo(3))
    await school.setRule(built, 24)
    expect(await school.mailsTo(built.instructor)).toHaveLength(1)
    expect(await school.mailsTo(second)).toHaveLength(1)
    expect(await school.mailsTo(silent)).toHaveLength(1)
    const student = built.students[0] as Person
    const course = await school.api.as(student).send(getCourse, pathOf(built.courseId))
    expect(course.body.assignments).toHaveLength(1)
    expect(course.text).not.toContain('work_deletion_at')
  })

  it('is taken back by new activity, and by a longer rule at once', async () => {
    const { instructor, courseId, old, older } = await school.buildNoticed()
    const due_at = new Date(start + 30 * DAY).toISOString()
    await school.api.as(instructor).send(updateAssignment, { ...old, body: { due_at } })
    await school.review()
    expect((await stored(old.assignmentId))?.retention_notice).toBeUndefined()
    expect((await stored(older.assignmentId))?.retention_notice).toBeDefined()
    expect((await school.setRule({ instructor, courseId }, 120)).upcoming).toEqual([])
    school.moveTo(start + 20 * DAY)
    await school.review({ all: true })
    expect([await papersOf(old.assignmentId), await papersOf(older.assignmentId)]).toEqual([3, 4])
    const withdrawn = await AuditModel.countDocuments({
      action: 'assignment.work_deletion_withdrawn',
      'subject.course_id': courseId,
    })
    expect(withdrawn).toBe(2)
  })

  it.each<[string, (assignmentId: number, submissionId: number) => Promise<unknown>]>([
    ['a paper was changed', (_, id) => SubmissionModel.updateOne({ _id: id }, { $set: { updated_at: yearsAgo(1) } })],
    ['it was due later', (id) => AssignmentModel.updateOne({ _id: id }, { $set: { due_at: yearsAgo(1) } })],
    [
      'somebody had an extension',
      (id) =>
        AssignmentModel.updateOne(
          { _id: id },
          { $set: { extensions: [{ student_id: 1, due_at: yearsAgo(1), closes_at: null }] } },
        ),
    ],
    ['it was graded later', (id) => RunModel.create(run(id, 'completed', yearsAgo(1)))],
    ['a regrade request was answered', (id, paper) => RegradeModel.create(oldRegrade(id, paper, yearsAgo(1)))],
    ['a regrade request is open', (id, paper) => RegradeModel.create(oldRegrade(id, paper, null))],
    [
      'a run is under way',
      async (id) => {
        const { _id } = await RunModel.create(run(id, 'grading', null))
        await AssignmentModel.updateOne({ _id: id }, { $set: { active_run_id: _id } })
      },
    ],
    ['an accuracy check was made', (id) => AccuracyCheckModel.create(oldCheck(id, yearsAgo(1)))],
    ['a class scan was uploaded', (id) => ClassScanModel.create(oldScan(id, yearsAgo(1)))],
  ])('is not given where %s', async (_, happen) => {
    const built = await buildCourse(school.api, { students: 0 })
    const { assignmentId, ids } = await school.buildOld(built)
    await happen(assignmentId, ids[0] ?? 0)
    expect((await school.setRule(built, 24)).upcoming).toEqual([])
  })

  it('counts its 14 days from the mail where Assay did not run in between', async () => {
    const { old, instructor } = await school.buildNoticed()
    await AssignmentModel.updateOne({ _id: old.assignmentId }, { $set: { 'retention_notice.mailed': false } })
    school.moveTo(start + DAY / 2)
    await school.review()
    expect(await papersOf(old.assignmentId)).toBe(3)
    expect((await stored(old.assignmentId))?.retention_notice).toMatchObject({
      mailed: true,
      delete_at: new Date(start + 14.5 * DAY),
    })
    expect(await school.mailsTo(instructor)).toHaveLength(2)
  })

  it('goes to administrators where no instructor can be reached, and nothing is deleted until somebody could be told', async () => {
    const { old, older, instructor } = await school.buildNoticed()
    const unreached = { email_verified_at: null }
    await UserModel.updateMany({ $or: [{ _id: instructor.id }, { role: 'admin' }] }, { $set: unreached })
    const ids = [old.assignmentId, older.assignmentId]
    await AssignmentModel.updateMany({ _id: { $in: ids } }, { $set: { 'retention_notice.mailed': false } })
    school.moveTo(start + 20 * DAY)
    await school.review()
    expect(await Promise.all(ids.map(papersOf))).toEqual([3, 4])
    const admin = await buildPerson('admin')
    await school.review()
    expect(await school.mailsTo(admin)).toHaveLength(1)
    school.moveTo(start + 34 * DAY - 1)
    await school.review()
    expect(await Promise.all(ids.map(papersOf))).toEqual([3, 4])
    school.moveTo(start + 34 * DAY)
    await school.review()
    expect(await Promise.all(ids.map(papersOf))).toEqual([0, 0])
  })
})
