import { listAssignments, publishAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents, listCourses } from '@assay/shared/courses.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { CourseModel, EnrollmentModel } from '../../records/courses/course.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildEmptyAssignment, buildGraded, correctAnswers } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'
import { assignmentsOfCourse, requireAssignment } from './assignment.service.ts'
import { lockForRun, replaceStoredRubric, unlockFromRun } from './assignment-queries.ts'

const { api } = useTestApi()

async function paged(page: (skip: number) => Promise<{ id: number }[]>): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const rows = await page(ids.length)
    if (rows.length === 0) return ids
    ids.push(...rows.map(({ id }) => id))
  }
}

describe('a list', () => {
  it('neither repeats nor skips assignments created at the same moment', async () => {
    const { instructor, courseId, assignmentId } = await buildEmptyAssignment(api, { students: 10 })
    const one = await requireAssignment(assignmentId)
    const course = await CourseModel.findById(courseId).lean()
    if (!course) throw new Error('no course')
    // Stored in random order, so that only the ids tell it.
    const ids = [7, 2, 9, 4, 1, 8, 3, 6, 5].map((id) => assignmentId + courseId + id)
    await AssignmentModel.insertMany(ids.map((_id) => ({ ...one, _id })))
    await CourseModel.insertMany(ids.map((_id) => ({ ...course, _id })))
    await EnrollmentModel.updateMany({ course_id: courseId }, { $set: { enrolled_at: new Date() } })
    await UserModel.updateMany({}, { $set: { full_name: 'Ada Lovelace' } })
    const caller = api.as(instructor)
    const downwards = [...ids].sort((a, b) => b - a)
    const query = (skip: number) => ({ skip, limit: 3 })
    const params = { courseId }
    expect(await paged(async (skip) => (await caller.send(listAssignments, { query: query(skip) })).body)).toEqual([
      ...downwards,
      assignmentId,
    ])
    expect(await paged(async (skip) => (await caller.send(listCourses, { query: query(skip) })).body)).toEqual([
      ...downwards,
      courseId,
    ])
    const students = await paged(
      async (skip) => (await caller.send(listCourseStudents, { params, query: query(skip) })).body,
    )
    expect(students).toEqual((await caller.send(listCourseStudents, { params })).body.map(({ id }) => id))
    expect(new Set(students).size).toBe(10)
  })

  it('counts submissions the same for many assignments as for a few', async () => {
    const { instructor, assignmentId } = await buildGraded(api, Array(3).fill(correctAnswers))
    const [first, second, third] = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
    await SubmissionModel.updateOne({ _id: first?._id }, { $set: { 'grade.needs_review': true } })
    await SubmissionModel.updateOne({ _id: second?._id }, { $set: { status: 'failed', grade: null } })
    await SubmissionModel.updateOne(
      { _id: third?._id },
      { $set: { 'grade.reviewed_at': new Date(), 'grade.needs_review': false } },
    )
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    await SubmissionModel.updateOne({ _id: first?._id }, { $set: { 'grade.released': false, regrade: 'open' } })
    const counts = async (limit: number) => {
      const { body } = await api.as(instructor).send(listAssignments, { query: { limit } })
      return new Map(body.map((row) => [row.id, row.counts]))
    }
    const few = await counts(20)
    expect(few.get(assignmentId)).toMatchObject({
      ...{ submissions: 3, failed: 1, graded: 2, flagged: 1, reviewed: 1, unreleased: 1, regrades: 1 },
    })
    const one = await requireAssignment(assignmentId)
    await AssignmentModel.insertMany(
      Array.from({ length: 25 }, (_, i) => ({ ...one, _id: assignmentId + 1000 + i, status: 'draft' })),
    )
    const many = await counts(500)
    expect(many.size).toBe(26)
    expect(many.get(assignmentId)).toEqual(few.get(assignmentId))
    const none = { submissions: 0, graded: 0, failed: 0, flagged: 0, reviewed: 0, unreleased: 0, regrades: 0 }
    expect(many.get(assignmentId + 1000)).toEqual(none)
  })

  it('loads no rubrics, and gives one review reason per row', async () => {
    const { instructor, courseId, assignmentId } = await buildGraded(api, [correctAnswers])
    const reason = { code: 'odd', message: 'Look.' }
    await SubmissionModel.updateOne(
      { assignment_id: assignmentId },
      { $set: { 'grade.needs_review': true, 'grade.review_reasons': [reason] } },
    )
    expect((await assignmentsOfCourse(courseId, { publishedOnly: false }))[0]).not.toHaveProperty('rubric')
    const rows = await api.as(instructor).send(listSubmissions, { params: { assignmentId } })
    expect(rows.body).toMatchObject([{ review_summary: 'Look.' }])
  })
})

const [ENDING, OTHER, NEXT] = [101, 102, 103]

/** An assignment as it was loaded while a run that has ended still had its lock. */
async function loadLocked() {
  const { assignmentId } = await buildEmptyAssignment(api)
  expect(await lockForRun(await requireAssignment(assignmentId), ENDING)).toBe(true)
  return { assignmentId, loaded: await requireAssignment(assignmentId) }
}

it('locks an assignment whose last run gave up its lock after it was loaded', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  expect(await lockForRun(loaded, NEXT)).toBe(true)
  expect((await AssignmentModel.findById(assignmentId).lean())?.active_run_id).toBe(NEXT)
})

it('does not lock one that another run has locked since', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  await lockForRun(await requireAssignment(assignmentId), OTHER)
  expect(await lockForRun(loaded, NEXT)).toBe(false)
})

it('lets a rubric be replaced after the run has given up its lock, and not once another has it', async () => {
  const { assignmentId, loaded } = await loadLocked()
  await unlockFromRun(assignmentId, ENDING)
  const change = { rubric: loaded.rubric, rubric_version: loaded.rubric_version + 1, updated_at: new Date() }
  const { rubric_made, rubric_check, extraction_version } = loaded
  const fields = { ...change, rubric_made, rubric_check, extraction_version }
  await lockForRun(await requireAssignment(assignmentId), OTHER)
  expect(await replaceStoredRubric(loaded, fields)).toBeNull()
  await unlockFromRun(assignmentId, OTHER)
  expect(await replaceStoredRubric(loaded, fields)).toMatchObject({ rubric_version: change.rubric_version })
})
