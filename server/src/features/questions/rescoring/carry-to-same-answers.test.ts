import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeAll, expect, it } from 'vitest'
import { buildGraded, buildPerson, decideGrade } from '../../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../../testing/llm-settings.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm()
beforeAll(async () => chooseFakeLlm(api.as(await buildPerson('admin')), fake, { pictures: false }))

const floats = 'It floats since frozen water takes more room.'
/** Four say the same to question 1, one something else. */
const answers = [
  floats,
  'it floats, since frozen water takes more room',
  floats,
  floats,
  'Because of magnets in the water.',
]

async function buildAnswered() {
  const { teacher, assignmentId, submissionIds } = await buildGraded(
    api,
    answers.map((answer) => [answer, 'B', '144']),
  )
  const gradeOf = async (submissionId = 0) => {
    const { body } = await teacher.send(getSubmission, { params: { assignmentId, submissionId } })
    if (!body.grade) throw new Error('a grade')
    return body.grade
  }
  const firstOf = async (submissionId = 0) => (await gradeOf(submissionId)).criterion_grades_collection[0]
  const decide = async (submissionId = 0, points = 0) => {
    const criterion = (await firstOf(submissionId))?.criterion_id ?? ''
    return teacher.send(decideAnswers, {
      params: { assignmentId, questionId: 'q1' },
      body: { answers: [{ submission_id: submissionId, decided: null }], points: { [criterion]: points } },
    })
  }
  const approve = (submissionId = 0) => decideGrade(teacher, { assignmentId, submissionId })
  const learned = () =>
    expect
      .poll(async () => {
        const { body } = await teacher.send(getQuestion, { params: { assignmentId, questionId: 'q1' } })
        return body.learning
      })
      .toBe(false)
  const undo = (changeId: number | null) =>
    teacher.send(undoQuestionChange, { params: { assignmentId, questionId: 'q1', changeId: changeId ?? 0 } })
  return { ids: submissionIds, gradeOf, firstOf, decide, approve, learned, undo }
}

it('carries points to the very same answers an LLM graded, asks it nothing, and gives its own back when they are withdrawn', async () => {
  const { ids, gradeOf, firstOf, decide, approve, learned, undo } = await buildAnswered()
  const [one, two, approved, , other] = ids
  const before = await firstOf(two)
  expect(before).toMatchObject({ judged_by: 'model' })
  expect(before?.score).not.toBe(9)
  await approve(approved)
  const [untouched, unlike] = [await firstOf(approved), await firstOf(other)]
  fake.reset()

  const decided = await decide(one, 9)
  await learned()
  expect(await firstOf(two)).toMatchObject({
    score: 9,
    llm_feedback: '',
    own_suggestion: { score: before?.score, llm_feedback: before?.llm_feedback, confidence: before?.confidence },
  })
  expect(await firstOf(two)).not.toHaveProperty('teacher_score')
  const after = await gradeOf(two)
  expect(after).toMatchObject({ reviewed_at: null, grader: { name: expect.stringContaining('fake-1') } })
  expect(after.overall_score).not.toBe(before?.score)
  expect(await firstOf(approved)).toEqual(untouched)
  expect(await firstOf(other)).toEqual(unlike)
  expect(fake.requests).toEqual([])

  await undo(decided.body.change_id)
  await learned()
  expect(await firstOf(two)).toEqual({ ...before, id: expect.any(Number) })
})

it('carries nothing where people gave the same answer different points', async () => {
  const { ids, firstOf, decide, learned } = await buildAnswered()
  const [one, two, three] = ids
  const before = await firstOf(two)
  await decide(one, 9)
  await learned()
  expect(await firstOf(two)).toMatchObject({ score: 9 })
  await decide(three, 1)
  await learned()
  expect(await firstOf(two)).toEqual({ ...before, id: expect.any(Number) })
  expect(await firstOf(three)).toMatchObject({ teacher_score: 1 })
})
