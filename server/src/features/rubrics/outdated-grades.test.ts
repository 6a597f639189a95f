import { randomUUID } from 'node:crypto'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { getRubric, restoreRubricVersion, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { countSubmissions, getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createOfflineGrader } from '../../grader/offline/offline-grader.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildCourse,
  buildGraded,
  correctAnswers,
  enrol,
  gradeAssignment,
  weakAnswers,
} from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { outdatedPartOfRubric } from './outdated-grades.ts'

const grader = createOfflineGrader()
const asked = vi.spyOn(grader, 'grade')
const { api } = useTestApi({}, { grader })

beforeEach(() => {
  asked.mockClear()
})

const answerSets = [correctAnswers, weakAnswers, ['Because it is less dense.', 'B', '12 dozen'], correctAnswers]

async function build() {
  const names = answerSets.map((_, i) => `Student ${i} ${randomUUID()}`)
  const built = await buildGraded(api, answerSets, { names })
  asked.mockClear()
  return built
}

async function edit(
  instructor: Person,
  assignmentId: number,
  change: (questions: Rubric['questions']) => Rubric['questions'],
) {
  const params = { assignmentId }
  const { body } = await api.as(instructor).send(getRubric, { params })
  const rubric: Rubric = { questions: change(body.rubric?.questions ?? []), problems: [] }
  const saved = await api.as(instructor).send(saveRubric, { params, body: { version: body.version, rubric } })
  expect(saved.status).toBe(200)
  return saved.body
}

const acceptDozens = (questions: Rubric['questions']) =>
  questions.map((question) =>
    question.number === '3'
      ? { ...question, criteria: question.criteria.map((one) => ({ ...one, alternatives: ['12 dozen'] })) }
      : question,
  )

const gradeOf = async (instructor: Person, assignmentId: number, submissionId = 0) => {
  const { body } = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
  if (!body.grade) throw new Error('no grade')
  return body
}

describe('grades that rest on an earlier rubric', () => {
  it('are named in rows, counted and filtered, and only while the questions differ', async () => {
    const { instructor, assignmentId, params } = await build()
    expect(await edit(instructor, assignmentId, acceptDozens)).toMatchObject({ outdated: 4, graded: 4 })
    const rows = () => api.as(instructor).send(listSubmissions, { params, query: { status: 'outdated' } })
    expect((await rows()).body.map(({ outdated }) => outdated)).toEqual([['3'], ['3'], ['3'], ['3']])
    expect((await api.as(instructor).send(countSubmissions, { params })).body.outdated).toBe(4)
    // What regrading would ask for is what it is reckoned by.
    const stored = await AssignmentModel.findById(assignmentId).lean()
    expect(stored && (await outdatedPartOfRubric(stored))?.questions.map(({ id }) => id)).toEqual(['q3'])
    // Another number, place or remark changes no grade.
    const back = { params: { assignmentId, version: 1 }, body: { version: 2 } }
    expect((await api.as(instructor).send(restoreRubricVersion, back)).body.outdated).toBe(0)
    expect((await rows()).body).toEqual([])
    expect((await api.as(instructor).send(countSubmissions, { params })).body.outdated).toBe(0)
    const refused = await api.as(instructor).send(processAssignment, { params, body: { outdated: true } })
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'nothing_to_grade' } })
    expect(refused.body.message).toMatch(/already uses the current rubric/)
  })

  it('are graded again in the touched question alone; the others stay word for word', async () => {
    const { instructor, assignmentId, submissionIds, params } = await build()
    const before = await gradeOf(instructor, assignmentId, submissionIds[2])
    await edit(instructor, assignmentId, acceptDozens)
    const run = await gradeAssignment(api, instructor, assignmentId, { outdated: true })
    expect(run).toMatchObject({ status: 'completed', total: 4, graded: 4 })
    expect(asked.mock.calls.map(([, , , context]) => [...(context?.only ?? [])])).toEqual(answerSets.map(() => ['q3']))
    const after = await gradeOf(instructor, assignmentId, submissionIds[2])
    const words = (of: typeof after, from: number, to: number) =>
      of.grade?.criterion_grades_collection.slice(from, to).map(({ id: _, ...criterion }) => criterion)
    expect(words(after, 0, 2)).toEqual(words(before, 0, 2))
    expect(words(before, 2, 3)).toMatchObject([{ score: 0 }])
    expect(words(after, 2, 3)).toMatchObject([{ score: 5 }])
    expect(after.overall_score).toBe(Math.round(10 * ((before.overall_score ?? 0) + 25)) / 10)
    expect(after.outdated).toBeUndefined()
    expect((await api.as(instructor).send(countSubmissions, { params })).body.outdated).toBe(0)
  })

  it('ask nobody when a question was only taken out, and lose it', async () => {
    const { instructor, assignmentId, submissionIds } = await build()
    const saved = await edit(instructor, assignmentId, (questions) => questions.slice(0, 2))
    expect(saved.outdated).toBe(4)
    await gradeAssignment(api, instructor, assignmentId, { outdated: true })
    expect(asked).not.toHaveBeenCalled()
    const { grade } = await gradeOf(instructor, assignmentId, submissionIds[0])
    expect(grade?.criterion_grades_collection.map(({ question_id }) => question_id)).toEqual(['q1', 'q2'])
    expect(grade?.overall_score).toBe(100)
  })

  it('are found among papers graded at different times, and no others are touched', async () => {
    const { instructor, assignmentId, submissionIds } = await build()
    await edit(instructor, assignmentId, acceptDozens)
    const [one = 0] = submissionIds
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [one], force: true })
    const untouched = await SubmissionModel.findById(one).lean()
    const run = await gradeAssignment(api, instructor, assignmentId, { outdated: true })
    expect(run.total).toBe(3)
    expect(await SubmissionModel.findById(one).lean()).toEqual(untouched)
  })

  it('preserve a teacher’s override, and what students see until it is released again', async () => {
    const { instructor, courseId, assignmentId, submissionIds, params } = await build()
    const submissionId = submissionIds[2] ?? 0
    const { students } = await buildCourse(api, { students: 1 })
    const [student] = students
    if (!student) throw new Error('a student')
    await enrol(courseId, student)
    await SubmissionModel.updateOne({ _id: submissionId }, { $set: { student_id: student.id } })
    await api.as(instructor).send(publishAssignment, { params })
    const { grade } = await gradeOf(instructor, assignmentId, submissionId)
    const override = { overall_score: 66, human_review_notes: 'Mine.' }
    const gradeId = grade?.id ?? 0
    await api.as(instructor).send(overrideGrade, { params: { assignmentId, submissionId, gradeId }, body: override })
    const shown = await ReleaseModel.findById(submissionId).lean()
    await edit(instructor, assignmentId, acceptDozens)
    await gradeAssignment(api, instructor, assignmentId, { outdated: true })
    const after = await gradeOf(instructor, assignmentId, submissionId)
    expect(after.grade).toMatchObject({
      manual_score_override: 66,
      final_score_after_review: 66,
      manual_feedback: 'Mine.',
    })
    expect(after.grade?.released).toBe(false)
    expect(await ReleaseModel.findById(submissionId).lean()).toEqual(shown)
  })
})
