import { createAssignment } from '@assay/shared/assignments.ts'
import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper, gradeAssignment, quizFiles, weakAnswers } from '../../testing/build-course.ts'
import { useLlmGradedProcess } from '../../testing/llm-graded-process.ts'

/** A provider that knows no idempotency keys: what is asked twice is paid twice. */
const product = useLlmGradedProcess({ idempotency: false }, { AI_PICTURES: 'off' })
const CORRECTED = 'Ice is less dense than water: its molecules are held further apart in a lattice.'

async function buildGraded(username: string) {
  const person = await product.register(username)
  const teacher = product.api.as(person)
  const { blank, key } = await quizFiles()
  const papers = await Promise.all(
    [weakAnswers, correctAnswers].map(async (answers, i) => ({
      name: `${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, answers),
    })),
  )
  const created = await teacher.send(createAssignment, {
    body: { name: 'Corrected' },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers },
  })
  const assignmentId = created.body.id
  await gradeAssignment(product.api, person, assignmentId)
  const { body: rows } = await teacher.send(listSubmissions, { params: { assignmentId } })
  const weak = rows.find(({ file_name }) => file_name === '0.pdf')
  const params = { assignmentId, submissionId: weak?.id ?? 0 }
  return {
    correct: (text: string, revision: number) =>
      teacher.send(correctAnswer, { params: { ...params, questionId: 'q1' }, body: { text, revision } }),
    answer: async () => {
      const { body } = await teacher.send(getTranscription, { params })
      return body.answers.find(({ question_id }) => question_id === 'q1')
    },
    criteria: async () => {
      const { body } = await teacher.send(getSubmission, { params })
      return body.grade?.criterion_grades_collection.map(({ id: _, ...words }) => words) ?? []
    },
    history: async () => (await teacher.send(getGradeHistory, { params })).body,
  }
}

it('has a model score a corrected answer again, though it is killed over it, and pays once', async () => {
  const { fake } = product
  const { correct, answer, criteria, history } = await buildGraded('killed')
  const before = await criteria()
  fake.reset()
  product.stallRetries(CORRECTED)
  expect((await correct(CORRECTED, 0)).body).toMatchObject({ text: CORRECTED, scoring: 'waiting' })
  await expect.poll(() => product.countStalled()).toBe(1)
  expect(await criteria()).toEqual(before)

  await product.killAndRestart()
  await expect.poll(async () => (await answer())?.scoring).toBe('settled')
  const [first, ...others] = await criteria()
  expect(first).toMatchObject({ question_id: 'q1', score: 10, judged_by: 'model' })
  expect(others).toEqual(before.slice(1))
  expect(product.repeatedRequests()).toEqual([])
  // The bad answer, the question that hung, and that one again.
  expect(fake.records.counts()).toEqual({ received: 3, answered: 2, billed: 2 })
  for (const { asked } of fake.requests) expect(JSON.stringify(asked.texts)).not.toContain('12 times 12')
  const { suggestions, calls } = await history()
  expect(suggestions.map(({ current }) => current)).toEqual([false, true])
  expect(calls.map(({ outcome }) => outcome)).toEqual(['answered', 'wrong', 'failed', 'answered'])
}, 300_000)

it('takes what was answered for the same words before from the ledger', async () => {
  const { fake } = product
  const { correct, answer, criteria } = await buildGraded('twice')
  fake.reset()
  for (const [revision, text] of [CORRECTED, 'Nobody knows.', CORRECTED].entries()) {
    await correct(text, revision)
    await expect.poll(async () => (await answer())?.scoring).toBe('settled')
  }
  expect((await criteria())[0]?.score).toBe(10)
  expect(fake.requests).toHaveLength(2)
})
