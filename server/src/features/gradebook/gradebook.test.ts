import { listStudentPerformance } from '@assay/shared/analytics.ts'
import { publishAssignment, setNamesHidden, updateAssignment } from '@assay/shared/assignments.ts'
import { exportGradebook, type GradebookCell, getGradebook, updateGradebook } from '@assay/shared/gradebook.ts'
import { exportGrades, gradebookFormats } from '@assay/shared/grades.ts'
import { percentOf } from '@assay/shared/rules/points.ts'
import { setScoreRules } from '@assay/shared/score-rules.ts'
import { getStudentAssignment, getStudentCourse } from '@assay/shared/students.ts'
import { deleteSubmission, getSubmission } from '@assay/shared/submissions.ts'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildCourse,
  buildGradedPapers,
  buildStudent,
  correctAnswers,
  decideGrade,
} from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { bom: true, columns: true })

/** Zoe Abel and Al van Dam, with three published quizzes of 20 points; Al has no paper in the last. */
async function buildBook() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const zoe = await buildStudent(courseId, { full_name: 'Zoe Abel', student_number: '007' })
  const al = await buildStudent(courseId, { full_name: 'Al van Dam' })
  const teacher = api.as(instructor)
  const params = { courseId }
  const quiz = async (scores: [Person, number][]) => {
    const papers = scores.map(([{ username }]) => ({ file: username, full_name: '', answers: correctAnswers }))
    const { assignmentId, submissionIds } = await buildGradedPapers(api, { instructor, courseId }, papers)
    for (const [i, submissionId] of submissionIds.entries())
      await decideGrade(teacher, { assignmentId, submissionId }, { overall_score: scores[i]?.[1] ?? 0 })
    return { assignmentId, submissionIds, publish: () => teacher.send(publishAssignment, { params: { assignmentId } }) }
  }
  const quizzes = [
    await quiz([
      [zoe, 33.3],
      [al, 90],
    ]),
    await quiz([
      [zoe, 77.7],
      [al, 61],
    ]),
    await quiz([[zoe, 95.1]]),
  ]
  for (const { publish } of quizzes) await publish()
  const [first, second, third] = quizzes.map(({ assignmentId }) => assignmentId)
  return {
    ...{ teacher, params, zoe, al, quiz, quizzes, first: first ?? 0, second: second ?? 0, third: third ?? 0 },
    book: async () => (await teacher.send(getGradebook, { params })).body,
    totals: async () => (await teacher.send(getGradebook, { params })).body.rows.map(({ total }) => total),
    set: (body: object) => teacher.send(updateGradebook, { params, body }),
  }
}

it('shows by surname the points and totals that the grades, the student, the analytics and every file have', async () => {
  const { teacher, params, zoe, al, quizzes, first, second, third, book, set } = await buildBook()
  const late = { late_penalty: null, adjustment: { kind: 'shift', points_percent: -3.33 } as const, version: 0 }
  await teacher.send(setScoreRules, { params: { assignmentId: first }, body: late })
  const weights = [
    { assignment_id: first, counts: true, weight: 2.5 },
    { assignment_id: third, counts: true, weight: 0.3 },
  ]
  for (const body of [{}, { assignments: weights }, { drop_lowest: 1 }]) {
    expect((await set(body)).status).toBe(200)
    await expect
      .poll(async () => (await book()).rows[0]?.cells[0]?.points, { timeout: 20_000 })
      // 6.66 of 20, less 3.33 % of 20.
      .toBe(5.99)
    const shown = await book()
    expect(shown.columns.map((one) => one.assignment_id)).toEqual([first, second, third])
    expect(shown.rows.map(({ full_name, student_number }) => [full_name, student_number])).toEqual([
      ['Zoe Abel', '007'],
      ['Al van Dam', null],
    ])
    const students = (await teacher.send(listStudentPerformance, { params })).body
    const own = (format?: (typeof gradebookFormats)[number]) =>
      teacher.send(exportGradebook, { params, query: format ? { format } : {} })
    const plain = rowsOf((await own()).text)
    const files = await Promise.all(gradebookFormats.map(async (format) => (await own(format)).text))
    for (const [r, person] of [zoe, al].entries()) {
      const row = shown.rows[r]
      const average = (await api.as(person).send(getStudentCourse, { params })).body.average
      expect(average?.score).toBe(row?.total)
      expect(students.find(({ student_id }) => student_id === person.id)?.average_grade).toBe(row?.total)
      expect(Number(plain[r]?.total)).toBe(row?.total)
      for (const [c, { assignmentId, submissionIds }] of quizzes.entries()) {
        const cell = row?.cells[c]
        if (!cell?.submission_id) continue
        const points = { given: cell.points, of: shown.columns[c]?.max_points }
        expect(submissionIds).toContain(cell.submission_id)
        const ids = { assignmentId, submissionId: cell.submission_id }
        const { grade, adjusted } = (await teacher.send(getSubmission, { params: ids })).body
        expect(adjusted?.points ?? grade?.points).toEqual(points)
        const seen = (await api.as(person).send(getStudentAssignment, { params: { assignmentId } })).body
        expect(seen).toMatchObject({ points, overall_score: percentOf(points as { given: number; of: number }) })
        const single = await teacher.send(exportGrades, { params: { assignmentId } })
        const line = rowsOf(single.text).find(({ student_identifier }) => student_identifier === person.username)
        expect(Number(line?.adjusted_points)).toBe(cell.points)
      }
    }
    const points = shown.rows.map(({ cells }) => cells.map((cell) => cell?.points ?? ''))
    for (const csv of files)
      expect(
        parse(csv, { bom: true })
          .slice(-2)
          .map((line: string[]) => line.slice(-3)),
      ).toEqual(points.map((line) => line.map(String)))
    expect(files[0]).toContain('"    Points Possible","","","","","20","20","20"')
    expect(files[2]).toContain('"Water and heat [Total Pts: 20 Score]"')
  }
})

it('drops the lowest and weighs as the teacher sets it, marks what does not count, and keeps one grade', async () => {
  const { params, teacher, first, second, third, book, totals, set } = await buildBook()
  const dropped = (cells: (GradebookCell | null)[] = []) => cells.map((cell) => cell?.dropped ?? false)
  // (33.3 + 77.7 + 95.1) / 3 = 68.7; (90 + 61) / 2 = 75.5
  expect(await totals()).toEqual([68.7, 75.5])
  await set({ drop_lowest: 1 })
  expect(await totals()).toEqual([86.4, 90])
  expect((await book()).rows.map(({ cells }) => dropped(cells))).toEqual([
    [true, false, false],
    [false, true, false],
  ])
  await set({ drop_lowest: 3 })
  expect(await totals()).toEqual([95.1, 90])
  await set({
    drop_lowest: 0,
    assignments: [
      { assignment_id: first, counts: false, weight: 1 },
      { assignment_id: third, counts: true, weight: 3 },
    ],
  })
  // (77.7 + 3 × 95.1) / 4 = 90.75
  expect(await totals()).toEqual([90.8, 61])
  const shown = await book()
  expect(shown.columns.map(({ counts, weight, mean }) => [counts, weight, mean])).toEqual([
    [false, 1, 61.7],
    [true, 1, 69.4],
    [true, 3, 95.1],
  ])
  expect(shown.mean).toBe(75.9)
  const audited = await AuditModel.findOne({ action: 'course.gradebook_changed' }).sort({ _id: -1 }).lean()
  expect(audited?.after).toMatchObject({ drop_lowest: 0 })

  await set({ assignments: [{ assignment_id: second, counts: false, weight: 1 }] })
  expect((await book()).columns.map(({ counts }) => counts)).toEqual([false, false, true])
  const strange = await set({ assignments: [{ assignment_id: third + 1000, counts: true, weight: 1 }] })
  expect(strange.status).toBe(422)
  const none = await teacher.send(updateGradebook, { params, body: { drop_lowest: -1 } })
  expect(none.status).toBe(422)
})

it('tells missing, late, ungraded, unreleased and newer work apart, and counts what students see', async () => {
  const { teacher, params, zoe, quiz, quizzes, second, book, totals } = await buildBook()
  const [one, two] = quizzes.map(({ submissionIds }) => submissionIds)
  expect((await book()).rows[1]?.cells[2]).toEqual({ state: 'missing' })
  const draft = await quiz([[zoe, 10]])
  await SubmissionModel.updateOne({ _id: one?.[0] }, { $set: { late: true } })
  await SubmissionModel.updateOne({ _id: one?.[1] }, { $set: { 'grade.released': false } })
  await SubmissionModel.updateOne({ _id: draft.submissionIds[0] }, { $set: { 'grade.unscored_points': 5 } })
  const states = (await book()).rows.map(({ cells }) => cells.map((cell) => cell && [cell.late ?? false, cell.state]))
  expect(states).toEqual([
    [
      [true, undefined],
      [false, undefined],
      [false, undefined],
      [false, 'ungraded'],
    ],
    [[false, 'newer'], [false, undefined], [false, 'missing'], null],
  ])
  await SubmissionModel.updateOne({ _id: draft.submissionIds[0] }, { $unset: { 'grade.unscored_points': '' } })
  expect((await book()).rows[0]?.cells[3]).toMatchObject({ points: 2, state: 'unreleased' })
  expect(await totals()).toEqual([68.7, 75.5])
  await draft.publish()
  expect(await totals()).toEqual([54, 75.5])

  const inTheFuture = { due_at: new Date(Date.now() + 86_400_000).toISOString() }
  await teacher.send(updateAssignment, { params: { assignmentId: second }, body: inTheFuture })
  await teacher.send(deleteSubmission, { params: { assignmentId: second, submissionId: two?.[1] ?? 0 } })
  expect((await book()).rows[1]?.cells[1]).toBeNull()

  await teacher.send(setNamesHidden, { params: { assignmentId: second }, body: { names_hidden: true } })
  const hidden = await book()
  expect(hidden.columns[1]).toMatchObject({ names_hidden: true, mean: null })
  expect(hidden.rows.map(({ cells }) => cells[1])).toEqual([null, null])
  expect(await totals()).toEqual([46.1, 90])
  const [headings] = parse((await teacher.send(exportGradebook, { params })).text, { bom: true })
  expect(headings?.filter((name: string) => name.startsWith('Water'))).toHaveLength(3)
})
