import { publishAssignment } from '@assay/shared/assignments.ts'
import { approveGrades, getGradeApprovals } from '@assay/shared/grade-approvals.ts'
import { decideAnswers, getQuestion } from '@assay/shared/questions.ts'
import { answerRegrade, requestRegrade } from '@assay/shared/regrades.ts'
import { applyAmendment, previewAmendment } from '@assay/shared/rubric-amendments.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { beforeEach, expect, it } from 'vitest'
import { drawHandwrittenPaper } from '../../../../tests/papers/handwritten.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  smallQuiz,
  weakAnswers,
} from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

/** Two typed papers, one right and one wrong, and one all right in a hand that OCR cannot read. */
async function build() {
  const { instructor, students, courseId } = await buildCourse(api, { students: 3 })
  const hand = await drawHandwrittenPaper(smallQuiz, { full_name: '' }, correctAnswers, { wild: 0.75, seed: 3 })
  const typed = (answers: string[]) => drawPaper({ full_name: '' }, answers)
  const bytes = [await typed(correctAnswers), await typed(weakAnswers), hand]
  const papers = bytes.map((one, i) => ({ name: `${students[i]?.username}.pdf`, bytes: one }))
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, papers)
  const [right = 0, wrong = 0, unread = 0] = submissionIds
  const teacher = api.as(instructor)
  const params = { assignmentId }
  const ofUnread = { ...params, submissionId: unread }
  const grade = async () => (await teacher.send(getSubmission, { params: ofUnread })).body.grade
  const judged = async () =>
    (await grade())?.criterion_grades_collection.map((one) => [
      one.criterion_id,
      one.unscored_reason ?? null,
      one.teacher_score ?? one.score,
      one.llm_feedback,
    ])
  const learned = (questionId: string) =>
    expect
      .poll(async () => (await teacher.send(getQuestion, { params: { ...params, questionId } })).body.learning)
      .toBe(false)
  const run = (force = false) => gradeAssignment(api, instructor, assignmentId, { force })
  await run()
  return { instructor, students, teacher, params, right, wrong, unread, ofUnread, grade, judged, learned, run }
}

let world: Awaited<ReturnType<typeof build>>
beforeEach(async () => {
  world = await build()
})

const untouched = (criterion: string) => [criterion, 'unreadable', null, '']
const nothing = ['q1', 'q2', 'q3'].map(untouched)

it('has no score and no words by a run, also once more, and is flagged to be graded by hand', async () => {
  const { judged, grade, run } = world
  expect(await judged()).toEqual(nothing)
  expect(await grade()).toMatchObject({ unscored_points: 20, needs_review: true })
  expect((await grade())?.review_reasons.map(({ message }) => message).join()).toContain('was not read')
  await run(true)
  expect(await judged()).toEqual(nothing)
})

it('has none where another answer of its paper is corrected and scored alone', async () => {
  const { teacher, ofUnread, judged } = world
  const answer = { params: { ...ofUnread, questionId: 'q3' }, body: { text: '144', revision: 0 } }
  expect((await teacher.send(correctAnswer, answer)).status).toBeLessThan(300)
  const scoring = async () =>
    (await teacher.send(getTranscription, { params: ofUnread })).body.answers.find((one) => one.question_id === 'q3')
  await expect.poll(async () => (await scoring())?.scoring).toBe('settled')
  expect(await judged()).toEqual([untouched('q1'), untouched('q2'), ['q3', null, 5, expect.any(String)]])
})

it('has none where the rubric changes, not even if it accepts what OCR made of it, and the class is graded again', async () => {
  const { teacher, params, ofUnread, judged, run } = world
  const read = (await teacher.send(getTranscription, { params: ofUnread })).body.answers
  const { body } = await teacher.send(getRubric, { params })
  const questions = body.rubric?.questions.map((question) => {
    const text = read.find(({ question_id }) => question_id === question.id)?.text ?? ''
    const alternatives = text.trim() === '' ? [] : [text]
    return { ...question, criteria: question.criteria.map((one) => ({ ...one, alternatives })) }
  })
  if (!body.rubric || !questions) throw new Error('a rubric')
  const saved = { version: body.version, rubric: { ...body.rubric, questions } }
  expect((await teacher.send(saveRubric, { params, body: saved })).status).toBe(200)
  await run(true)
  expect(await judged()).toEqual(nothing)
})

it('has none from the question’s screen: neither from points for the others nor by accepting suggestions', async () => {
  const { teacher, params, right, wrong, unread, judged, learned } = world
  const question = { ...params, questionId: 'q1' }
  const { groups } = (await teacher.send(getQuestion, { params: question })).body
  expect(groups[0]).toMatchObject({ kind: 'unreadable', variants: [[unread]] })
  const give = (ids: number[], points: 'suggested' | Record<string, number>) =>
    teacher.send(decideAnswers, {
      params: question,
      body: { answers: ids.map((submission_id) => ({ submission_id, decided: null })), points },
    })
  await give([right], { q1: 9 })
  await learned('q1')
  expect(await judged()).toEqual(nothing)
  await give([wrong, unread], 'suggested')
  await learned('q1')
  expect(await judged()).toEqual(nothing)
})

it('has none by approving all sure grades, and its student sees none', async () => {
  const { instructor, students, teacher, params, judged, grade } = world
  const { sure } = (await teacher.send(getGradeApprovals, { params })).body
  if (sure > 0) {
    await teacher.send(approveGrades, { params, body: { expected: sure } })
    const latest = async () => (await teacher.send(getGradeApprovals, { params })).body.latest?.state
    await expect.poll(latest).toBe('applied')
  }
  expect(await grade()).toMatchObject({ reviewed_at: null })
  expect(await judged()).toEqual(nothing)
  await api.as(instructor).send(publishAssignment, { params })
  const seen = (await api.as(students[2] as Person).send(getStudentAssignment, { params })).body
  expect(seen.criterion_grades.map(({ score, feedback }) => [score, feedback])).toEqual(nothing.map(() => [null, '']))
})

it('has none by a rubric that is amended after a regrade request', async () => {
  const { students, teacher, params, wrong, unread, judged } = world
  await teacher.send(publishAssignment, { params })
  const student = api.as(students[1] as Person)
  const seen = (await student.send(getStudentAssignment, { params })).body
  const body = { reason: '124 is right in base 11.', criterion_id: seen.criterion_grades[2]?.id ?? 0 }
  const regradeId = (await student.send(requestRegrade, { params, body })).body.id
  await teacher.send(answerRegrade, {
    params: { ...params, submissionId: wrong, regradeId },
    body: { answer: 'Right.', grant: { question_id: 'q3', points: { q3: 5 }, decided: null } },
  })
  const words = { regrade_id: regradeId, kind: 'alternative' as const, text: '124' }
  const { rubric_version, answers } = (await teacher.send(previewAmendment, { params, body: words })).body
  expect(answers.map(({ submission_id }) => submission_id)).not.toContain(unread)
  const chosen = [{ submission_id: unread, decided: null }]
  const applied = await teacher.send(applyAmendment, { params, body: { ...words, rubric_version, answers: chosen } })
  expect(applied.body.state).toBe('applied')
  expect(await judged()).toEqual(nothing)
})
