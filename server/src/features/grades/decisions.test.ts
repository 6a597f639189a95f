import { publishAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades, type GradeOverride, overrideGrade } from '@assay/shared/grades.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import {
  buildGraded,
  correctAnswers,
  gradeAssignment,
  rowsOf,
  waitForRun,
  weakAnswers,
} from '../../testing/build-course.ts'
import { keepState } from '../../testing/keep-state.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { findAnchors } from './decide-criteria.ts'

const { api } = useTestApi()

/** One graded paper of three criteria, of 10, 5 and 5 points. */
async function buildOne() {
  const names = ['Ada M.', 'Ben K.']
  const built = await buildGraded(api, [correctAnswers, weakAnswers], { students: true, names })
  const { instructor, students, assignmentId, submissionIds } = built
  const [ada, ben] = students
  if (!ada || !ben) throw new Error('two students')
  const [submissionId = 0, other = 0] = submissionIds
  const gradeOf = async (id = submissionId) => {
    const { body } = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId: id } })
    if (!body.grade) throw new Error('a grade')
    return body.grade
  }
  const decide = async (body: Partial<GradeOverride>, id = submissionId) =>
    api
      .as(instructor)
      .send(overrideGrade, {
        params: { assignmentId, submissionId: id, gradeId: (await gradeOf(id)).id },
        body: { overall_score: null, human_review_notes: null, ...body },
      })
  return { instructor, ada, assignmentId, submissionId, other, gradeOf, decide }
}
const freshOne = keepState(buildOne)

async function changePoints(instructor: Person, assignmentId: number, points: Record<string, number>) {
  const { body } = await api.as(instructor).send(getRubric, { params: { assignmentId } })
  if (!body.rubric) throw new Error('a rubric')
  const questions = body.rubric.questions.map((question) => ({
    ...question,
    criteria: question.criteria.map((one) => ({ ...one, points: points[one.id] ?? one.points })),
  }))
  const put = await api
    .as(instructor)
    .send(saveRubric, {
      params: { assignmentId },
      body: { version: body.version, rubric: { ...body.rubric, questions } },
    })
  expect(put.status).toBe(200)
}

describe('points a teacher gives for a criterion', () => {
  it('replace the AI’s in the score, for the student and in the CSV, and can be withdrawn', async () => {
    const { instructor, ada, assignmentId, gradeOf, decide } = await freshOne()
    const [first, second, third] = (await gradeOf()).criterion_grades_collection
    if (!first || !second || !third) throw new Error('three criteria')
    const percent = Math.round(((4.5 + (second.score ?? Number.NaN) + (third.score ?? Number.NaN)) / 20) * 1000) / 10

    const reply = await decide({ criteria: [{ criterion_id: first.criterion_id, score: 4.5 }] })
    expect(reply.body).toMatchObject({
      manual_score_override: percent,
      override_from_points: true,
      final_score_after_review: percent,
    })
    expect(reply.body.criterion_grades_collection[0]).toMatchObject({ score: first.score, teacher_score: 4.5 })

    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    const seen = await api.as(ada).send(getStudentAssignment, { params: { assignmentId } })
    expect(seen.body.overall_score).toBe(percent)
    expect(seen.body.criterion_grades.map(({ score, score_by }) => [score, score_by])).toEqual([
      [4.5, 'teacher'],
      [second.score, 'ai'],
      [third.score, 'ai'],
    ])
    const csv = await api.as(instructor).send(exportGrades, { params: { assignmentId } })
    expect(rowsOf(csv.text)[1]).toContain(`,4.5,${second.score},${third.score}`)

    const back = await decide({ criteria: [{ criterion_id: first.criterion_id, score: null }] })
    expect(back.body).toMatchObject({ manual_score_override: null, override_from_points: false })
    expect(back.body.criterion_grades_collection[0]).not.toHaveProperty('teacher_score')
  })

  it('settle the doubts of their own question alone, also when graded again, and bring them back when withdrawn', async () => {
    const { instructor, assignmentId, other, gradeOf, decide } = await freshOne()
    const doubts = async () => {
      const { needs_review, review_reasons } = await gradeOf(other)
      return { needs_review, questions: [...new Set(review_reasons.map(({ question_id }) => question_id))] }
    }
    const before = await doubts()
    expect(before).toEqual({ needs_review: true, questions: ['q1'] })
    const give = (criterion_id: string, score: number | null) =>
      decide({ reviewed: false, criteria: [{ criterion_id, score }] }, other)
    await give('q2', 5)
    expect(await doubts()).toEqual(before)
    await give('q1', 3)
    expect(await doubts()).toEqual({ needs_review: false, questions: [] })
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    expect(await doubts()).toEqual({ needs_review: false, questions: [] })
    await give('q1', null)
    expect(await doubts()).toEqual(before)
  })

  it('are stored beside a score for the whole paper, which takes precedence', async () => {
    const { gradeOf, decide } = await freshOne()
    const [first] = (await gradeOf()).criterion_grades_collection
    const points = [{ criterion_id: first?.criterion_id ?? '', score: 1 }]
    const reply = await decide({ overall_score: 66, criteria: points })
    expect(reply.body).toMatchObject({ final_score_after_review: 66, override_from_points: false })
    const after = await decide({})
    expect(after.body.override_from_points).toBe(true)
  })

  it('are rejected at their criterion when they exceed its maximum, or it does not exist', async () => {
    const { gradeOf, decide } = await freshOne()
    const [first] = (await gradeOf()).criterion_grades_collection
    const tooMuch = await decide({ criteria: [{ criterion_id: first?.criterion_id ?? '', score: 10.5 }] })
    expect(tooMuch.status).toBe(422)
    expect(tooMuch.text).toContain('At most 10 points')
    expect((await decide({ criteria: [{ criterion_id: 'q99', score: 1 }] })).status).toBe(422)
    expect((await decide({ criteria: [{ criterion_id: first?.criterion_id ?? '', score: -1 }] })).status).toBe(422)
    expect((await gradeOf()).manual_score_override).toBeNull()
  })

  it('stay when the paper is graded again and again, beside the AI’s new suggestions', async () => {
    const { instructor, assignmentId, submissionId, gradeOf, decide } = await freshOne()
    const first = (await gradeOf()).criterion_grades_collection[0]
    if (!first) throw new Error('a criterion')
    const criterion_id = first.criterion_id
    await decide({ criteria: [{ criterion_id, score: 2 }] })
    const before = await gradeOf()
    expect(first.score).not.toBe(2)
    for (const time of [1, 2]) {
      await gradeAssignment(api, instructor, assignmentId, { force: true })
      const after = await gradeOf()
      expect(after.id, `time ${time}`).not.toBe(before.id)
      expect(after).toMatchObject({
        overall_score: before.overall_score,
        override_from_points: true,
        manual_score_override: before.manual_score_override,
      })
      expect(after.criterion_grades_collection[0]).toMatchObject({ score: first.score, teacher_score: 2 })
      expect(await findAnchors(await requireAssignment(assignmentId))).toContainEqual({
        submission_id: submissionId,
        criterion_id,
        score: 2,
      })
    }
    const history = await api.as(instructor).send(getGradeHistory, { params: { assignmentId, submissionId } })
    expect(history.body.suggestions.map(({ criteria: [one] }) => [one?.score, one?.teacher_score])).toEqual([
      [first.score, undefined],
      [first.score, undefined],
      [first.score, 2],
    ])
    expect(history.body.final_score_after_review).toBe(before.manual_score_override)
    expect(history.body.suggestions[0]?.criteria[0]?.question_number).toBe('1')
    const csv = await api.as(instructor).send(exportGrades, { params: { assignmentId } })
    expect(rowsOf(csv.text)[1]).toMatch(
      new RegExp(`,(suggested|flagged),${before.overall_score},${before.manual_score_override},`),
    )
  })

  it('stay on a reviewed paper when unreviewed papers are graded again', async () => {
    const { instructor, assignmentId, other, gradeOf, decide } = await freshOne()
    await decide({})
    const [seen, unseen] = [await gradeOf(), await gradeOf(other)]
    const again = () =>
      api.as(instructor).send(processAssignment, { params: { assignmentId }, body: { unreviewed: true } })
    const run = await again()
    expect(run.body.queued).toBe(1)
    await waitForRun(api, instructor, assignmentId, run.body.run_id)
    expect((await gradeOf()).id).toBe(seen.id)
    expect((await gradeOf(other)).id).not.toBe(unseen.id)
    await decide({}, other)
    expect((await again()).text).toContain('you have reviewed every grade')
  })

  it('are removed with a review reason when the maximum points of their criterion change', async () => {
    const { instructor, assignmentId, submissionId, gradeOf, decide } = await freshOne()
    const [first, second] = (await gradeOf()).criterion_grades_collection
    if (!first || !second) throw new Error('two criteria')
    await decide({
      criteria: [
        { criterion_id: first.criterion_id, score: 10 },
        { criterion_id: second.criterion_id, score: 1 },
      ],
    })
    await changePoints(instructor, assignmentId, { [first.criterion_id]: 4 })
    expect(await findAnchors(await requireAssignment(assignmentId))).toEqual([
      { submission_id: submissionId, criterion_id: second.criterion_id, score: 1 },
    ])
    const run = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body: { outdated: true } })
    await waitForRun(api, instructor, assignmentId, run.body.run_id)
    const after = await gradeOf()
    expect(after.criterion_grades_collection.map(({ teacher_score }) => teacher_score)).toEqual([
      undefined,
      1,
      undefined,
    ])
    expect(after.criterion_grades_collection[0]?.score).toBeLessThanOrEqual(4)
    expect(after.final_score_after_review).toBeLessThanOrEqual(100)
    expect(after.needs_review).toBe(true)
    expect(after.review_reasons.map(({ code }) => code)).toContain('points_changed')
  })

  it('approved as suggested do not count as decisions on that paper once the rubric has changed', async () => {
    const { instructor, assignmentId, gradeOf, decide } = await freshOne()
    await decide({})
    const [before] = (await gradeOf()).criterion_grades_collection
    if (!before) throw new Error('a criterion')
    await changePoints(instructor, assignmentId, { [before.criterion_id]: 2 * before.max_score })
    const run = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body: { outdated: true } })
    await waitForRun(api, instructor, assignmentId, run.body.run_id)
    const [after] = (await gradeOf()).criterion_grades_collection
    expect(after?.max_score).toBe(2 * before.max_score)
    expect(after?.score).toBeGreaterThan(before.score ?? Number.NaN)
  })

  it('calibrate other grades, and so do approved suggestions, but not scores for a whole paper', async () => {
    const { assignmentId, submissionId, other, gradeOf, decide } = await freshOne()
    const [first] = (await gradeOf()).criterion_grades_collection
    const criterion_id = first?.criterion_id ?? ''
    await decide({ criteria: [{ criterion_id, score: 2 }] })
    expect(await findAnchors(await requireAssignment(assignmentId))).toEqual([
      { submission_id: submissionId, criterion_id, score: 2 },
    ])
    await decide({}, other)
    const accepted = (await gradeOf(other)).criterion_grades_collection
    expect(
      (await findAnchors(await requireAssignment(assignmentId))).filter(({ submission_id }) => submission_id === other),
    ).toEqual(
      accepted.map((one) => ({
        submission_id: other,
        criterion_id: one.criterion_id,
        score: one.score,
        approved: true,
      })),
    )
    await decide({ overall_score: 50 }, other)
    expect(
      (await findAnchors(await requireAssignment(assignmentId))).map(({ submission_id }) => submission_id),
    ).toEqual([submissionId])
  })
})
