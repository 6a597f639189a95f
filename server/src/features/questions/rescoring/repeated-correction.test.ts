import { getGradeHistory } from '@assay/shared/grade-history.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { expect, it } from 'vitest'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildGraded, correctAnswers, weakAnswers } from '../../../testing/build-course.ts'
import { createPausedGrader } from '../../../testing/paused-grader.ts'
import { useTestApi } from '../../../testing/server.ts'

/** By how often the grader was asked: a test may hold it there. */
let meanwhile: (times: number) => Promise<void> = async () => {}
let asked = 0

const { api, server } = useTestApi({}, { grader: createPausedGrader(() => meanwhile(++asked)) })

async function buildOne() {
  meanwhile = async () => {}
  const { teacher, assignmentId, submissionIds } = await buildGraded(api, [weakAnswers, correctAnswers])
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const answer = async () =>
    (await teacher.send(getTranscription, { params })).body.answers.find(({ question_id }) => question_id === 'q3')
  const score = async () =>
    (await teacher.send(getSubmission, { params })).body.grade?.criterion_grades_collection[2]?.score
  const correct = async (text: string, revision: number, questionId = 'q3') => {
    const { status } = await teacher.send(correctAnswer, {
      params: { ...params, questionId },
      body: { text, revision },
    })
    expect(status).toBeLessThan(300)
  }
  asked = 0
  return { teacher, params, answer, score, correct }
}

it('counts the words it was corrected to last, though an earlier correction comes back later', async () => {
  const { answer, score, correct } = await buildOne()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  meanwhile = async (times) => {
    if (times === 1) await held
  }
  await correct('144', 0)
  await expect.poll(() => asked).toBe(1)
  await correct('10', 1)
  await expect.poll(async () => (await answer())?.scoring).toBe('settled')
  expect(await score()).toBe(0)
  letGo()
  await expect.poll(async () => (await server.running.services.jobs.countJobs()).running).toBe(0)
  expect(await score()).toBe(0)
})

it('says that the paper must be graded again, when the rubric changed while it was scored', async () => {
  const { teacher, params, answer, correct } = await buildOne()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  meanwhile = () => held
  await correct('144', 0)
  await expect.poll(() => asked).toBe(1)
  const { body } = await teacher.send(getRubric, { params })
  if (!body.rubric) throw new Error('a rubric')
  const questions = body.rubric.questions.map((one) => ({ ...one, notes: 'Be strict.' }))
  await teacher.send(saveRubric, { params, body: { version: body.version, rubric: { ...body.rubric, questions } } })
  await SubmissionModel.updateOne(
    { _id: params.submissionId },
    { $set: { 'grade.rubric_version': body.version + 1 }, $inc: { 'grade.revision': 1 } },
  )
  letGo()
  await expect.poll(async () => (await answer())?.failure).toMatch(/Grade the paper again/)
})

it('stores the hashes of what the grader was given, not of what is current when it responds', async () => {
  const { teacher, params, answer, correct } = await buildOne()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  meanwhile = async (times) => {
    if (times === 1) await held
  }
  const suggestions = async () => (await teacher.send(getGradeHistory, { params })).body.suggestions
  await correct('144', 0)
  await expect.poll(() => asked).toBe(1)
  await correct('Ice floats.', 0, 'q1')
  await expect.poll(async () => (await suggestions()).length).toBe(2)
  const { body } = await teacher.send(getRubric, { params })
  if (!body.rubric) throw new Error('a rubric')
  const questions = body.rubric.questions.map((one) => ({ ...one, notes: 'Be strict.' }))
  const rubric = { ...body.rubric, questions }
  expect((await teacher.send(saveRubric, { params, body: { version: 1, rubric } })).status).toBe(200)
  letGo()
  await expect.poll(async () => (await answer())?.scoring).toBe('settled')
  const [graded, both, late] = await suggestions()
  expect(late).toMatchObject({ current: true, rubric_version: 1 })
  expect(late?.inputs?.rubric).toBe(graded?.inputs?.rubric)
  const words = [graded, both, late].map((one) => one?.inputs?.answers)
  expect(new Set(words).size).toBe(3)
})

it('scores a paper that failed to be graded again and retained its grade', async () => {
  const { params, answer, score, correct } = await buildOne()
  await SubmissionModel.updateOne(
    { _id: params.submissionId },
    { $set: { status: 'failed', failure: { code: 'grader_failed', message: 'It broke.' } } },
  )
  await correct('144', 0)
  await expect.poll(async () => (await answer())?.scoring).toBe('settled')
  expect(await score()).toBe(5)
})
