import {
  getCourseAnalytics,
  getGradeDistribution,
  listQuestionStatistics,
  listStudentPerformance,
} from '@assay/shared/analytics.ts'
import { deleteAssignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { removeStudent } from '@assay/shared/courses.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import { deleteSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { AnalyticsCacheModel, AnalyticsChangesModel } from '../../records/grading/analytics.model.ts'
import {
  dependencyStates,
  recoverInterruptedChanges,
  withInvalidation,
} from '../../records/grading/analytics-invalidation.ts'
import {
  buildAssignment,
  buildCourse,
  buildGraded,
  correctAnswers,
  decideGrade,
  drawPaper,
  enrol,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

type Graded = [name: string, score: number][]

async function assignmentWith(instructor: Person, courseId: number, grades: Graded) {
  const bytes = await drawPaper({ full_name: '' }, correctAnswers)
  const papers = grades.map(([name]) => ({ name: `${name}.pdf`, bytes }))
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, papers)
  await gradeAssignment(api, instructor, assignmentId)
  for (const [index, submissionId] of submissionIds.entries())
    await decideGrade(api.as(instructor), { assignmentId, submissionId }, { overall_score: grades[index]?.[1] ?? 0 })
  return { assignmentId, submissionIds }
}

const figures = (instructor: Person, courseId: number) => ({
  overall: async () => (await api.as(instructor).send(getCourseAnalytics, { params: { courseId } })).body,
  students: async () => (await api.as(instructor).send(listStudentPerformance, { params: { courseId } })).body,
  counts: async () =>
    (await api.as(instructor).send(getGradeDistribution, { params: { courseId } })).body.grade_ranges.map(
      ({ count }) => count,
    ),
})

/** Ada and Ben with two assignments each, Cy with none; and an unmatched paper. */
async function gradedCourse() {
  const { instructor, students, courseId } = await buildCourse(api, { students: 3 })
  const [ada, ben, cy] = students.toSorted((a, b) => compareNames({ ...a, full_name: null }, { ...b, full_name: null }))
  if (!ada || !ben || !cy) throw new Error('three students')
  const first = await assignmentWith(instructor, courseId, [
    [ada.username, 90],
    [ben.username, 70],
    ['somebody-else', 100],
  ])
  const second = await assignmentWith(instructor, courseId, [
    [ada.username, 80.5],
    [ben.username, 49.9],
  ])
  const publish = async ({ assignmentId }: { assignmentId: number }) => {
    const reply = await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    expect(reply.status).toBe(200)
  }
  return { instructor, courseId, ada, ben, cy, first, second, publish, of: figures(instructor, courseId) }
}

it('counts a grade once it is released, as in the worked example', async () => {
  const { courseId, instructor, ada, ben, cy, first, second, publish, of } = await gradedCourse()
  expect(await of.overall()).toMatchObject({
    course_average_grade: null,
    overall_completion_rate: null,
    total_graded_items: 0,
    total_enrolled_students: 3,
    total_assignments: 0,
    performance_trend: null,
  })
  await publish(first)
  await publish(second)
  expect(await of.overall()).toMatchObject({
    // (90 + 70 + 100 + 80.5 + 49.9) / 5 = 78.08
    course_average_grade: 78.1,
    // Four grades of enrolled students of 3 × 2.
    overall_completion_rate: 66.7,
    total_graded_items: 5,
    total_enrolled_students: 3,
    total_assignments: 2,
    performance_trend: 'fair',
  })
  expect(await of.counts()).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 1, 2])
  const { body } = await api.as(instructor).send(getGradeDistribution, { params: { courseId } })
  expect(body.total_grades).toBe(5)
  expect(body.grade_ranges.at(0)).toEqual({ range: '0-9', count: 0, percentage: 0 })
  expect(body.grade_ranges.at(-1)).toEqual({ range: '90-100', count: 2, percentage: 40 })

  const work = { total_assignments: 2, last_activity: expect.any(String) }
  expect(await of.students()).toEqual([
    {
      ...work,
      student_id: ada.id,
      student_name: ada.username,
      completion_rate: 100,
      average_grade: 85.3,
      performance_trend: 'declining',
      completed_assignments: 2,
      is_struggling: false,
      concerns: [],
    },
    {
      ...work,
      student_id: ben.id,
      student_name: ben.username,
      completion_rate: 100,
      average_grade: 60,
      performance_trend: 'declining',
      completed_assignments: 2,
      is_struggling: true,
      concerns: ['low_average', 'falling'],
    },
    {
      ...work,
      student_id: cy.id,
      student_name: cy.username,
      completion_rate: 0,
      average_grade: null,
      performance_trend: null,
      completed_assignments: 0,
      last_activity: null,
      is_struggling: true,
      concerns: ['missing_work'],
    },
  ])
})

it('shows every change of grades and of the roster at once, whatever is cached', async () => {
  const { instructor, courseId, ben, first, second, publish, of } = await gradedCourse()
  const average = async () => (await of.overall()).course_average_grade
  await publish(first)
  expect(await average()).toBe(86.7)
  expect(await average()).toBe(86.7)
  await publish(second)
  expect(await average()).toBe(78.1)

  const { assignmentId, submissionIds } = second
  await decideGrade(api.as(instructor), { assignmentId, submissionId: submissionIds[1] ?? 0 }, { overall_score: 100 })
  expect(await average()).toBe(88.1)
  await api.as(instructor).send(removeStudent, { params: { courseId, userId: ben.id } })
  expect(await of.overall()).toMatchObject({
    course_average_grade: 90.2,
    total_graded_items: 3,
    overall_completion_rate: 50,
  })
  await enrol(courseId, ben)
  expect(await average()).toBe(88.1)

  const [submissionId = 0] = first.submissionIds
  const params = { assignmentId: first.assignmentId, submissionId }
  await api.as(instructor).send(deleteSubmission, { params })
  // 70, 100, 80.5, 100
  expect(await average()).toBe(87.6)
  await api.as(instructor).send(unpublishAssignment, { params: { assignmentId: second.assignmentId } })
  expect(await of.overall()).toMatchObject({ course_average_grade: 85, total_assignments: 1 })
  await publish(second)
  expect(await average()).toBe(87.6)
  await api.as(instructor).send(deleteAssignment, { params: { assignmentId: first.assignmentId } })
  expect(await of.overall()).toMatchObject({ course_average_grade: 90.3, total_graded_items: 2 })
  expect(await AnalyticsCacheModel.exists({ _id: first.assignmentId })).toBeNull()
})

it('does not trust the cache during a change, nor after one that a crash interrupted', async () => {
  const { first, publish, of } = await gradedCourse()
  await publish(first)
  await of.overall()
  const { assignmentId } = first
  const falsify = () => AnalyticsCacheModel.updateOne({ _id: assignmentId }, { $set: { 'grades.figures.sum': 0 } })
  await falsify()
  // This shows that the cache is used at all.
  expect((await of.overall()).course_average_grade).toBe(0)

  const ground = { _id: `assignment/${assignmentId}` }
  await AnalyticsChangesModel.updateOne(ground, { $push: { open: { id: 'x', process: 'that died' } } })
  expect((await of.overall()).course_average_grade).toBe(86.7)
  await falsify()
  await recoverInterruptedChanges()
  expect((await of.overall()).course_average_grade).toBe(86.7)
  const settled = await AnalyticsChangesModel.findOne(ground).lean()
  expect(settled?.open).toEqual([])
  await falsify()
  expect((await of.overall()).course_average_grade).toBe(0)
})

it('leaves a change alone that a living process makes, while what another left is recovered', async () => {
  const { first, publish, of } = await gradedCourse()
  await publish(first)
  const dependency = `assignment/${first.assignmentId}` as const
  const states = async () => (await dependencyStates([dependency])).get(dependency)
  const before = await states()
  await withInvalidation([dependency], async () => {
    await AnalyticsChangesModel.updateOne({ _id: dependency }, { $push: { open: { id: 'x', process: 'that died' } } })
    await recoverInterruptedChanges()
    expect(await states()).toBeNull()
  })
  expect(await states()).toBeGreaterThan(before ?? 0)
  expect((await of.overall()).course_average_grade).toBe(86.7)
})

it('shows which questions of an assignment are hard, with a paper as an example', async () => {
  const answerSets = [correctAnswers, [correctAnswers[0] ?? '', 'A', '144']]
  const built = await buildGraded(api, answerSets, { students: true, names: ['', ''] })
  const { teacher, courseId, assignmentId, submissionIds, params } = built
  const ask = async (query = {}) => (await teacher.send(listQuestionStatistics, { params: { courseId }, query })).body
  expect(await ask()).toEqual([])
  await teacher.send(publishAssignment, { params })
  const [statistics] = await ask({ assignment_id: assignmentId })
  expect(statistics).toMatchObject({ assignment_id: assignmentId, title: 'Water and heat', papers: 2 })
  const [, choice, number] = statistics?.questions ?? []
  expect(choice).toMatchObject({ number: '2', average_share: 50, papers: 2 })
  expect(choice?.mistakes).toMatchObject([{ count: 1, points_lost: 5, example_submission_id: submissionIds[1] }])
  expect(number).toMatchObject({ number: '3', average_share: 100, mistakes: [] })
  expect(await ask({ assignment_id: assignmentId + 1000 })).toEqual([])
})
