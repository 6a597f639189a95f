import { createAssignment } from '@assay/shared/assignments.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { getRun, processAssignment } from '@assay/shared/runs.ts'
import { expect, it } from 'vitest'
import { drawHandwrittenPaper } from '../../../../tests/papers/handwritten.ts'
import { correctAnswers, drawPaper, handwrittenQuizLines, quizFiles, smallQuiz } from '../../testing/build-course.ts'
import { useLlmGradedProcess } from '../../testing/llm-graded-process.ts'

const nobody = { full_name: '' }

/** A provider that knows no idempotency keys: what is asked twice is paid twice. */
const product = useLlmGradedProcess({
  idempotency: false,
  transcript: handwrittenQuizLines(nobody, correctAnswers).join('\n'),
})

it('is killed while the LLM reads the key for a run, and pays for no answer twice', async () => {
  const { fake } = product
  const teacher = product.api.as(await product.register('maker'))
  const { blank } = await quizFiles()
  const key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 3 })
  const paper = await drawPaper({ full_name: 'Ada' }, correctAnswers)
  const created = await teacher.send(createAssignment, {
    body: { name: 'Killed' },
    files: {
      blank_pdf: [blank],
      answer_key_pdf: [{ name: 'key.pdf', bytes: key }],
      student_submission_pdfs: [{ name: 'ada.pdf', bytes: paper }],
    },
  })
  const assignmentId = created.body.id
  product.stallRetries('picture of the page')
  const started = await teacher.send(processAssignment, { params: { assignmentId } })
  const params = { assignmentId, runId: started.body.run_id }
  const run = async () => (await teacher.send(getRun, { params })).body
  await expect.poll(() => product.countStalled()).toBe(1)
  expect(await run()).toMatchObject({ status: 'preparing' })

  expect(await product.killAndRestart()).toBe(1)
  await expect.poll(async () => (await run()).status, { interval: 100 }).toBe('completed')
  expect(await run()).toMatchObject({ graded: 1, failed: 0 })
  const { rubric, version } = (await teacher.send(getRubric, { params: { assignmentId } })).body
  expect(version).toBe(1)
  expect(rubric?.questions[0]?.criteria[0]?.expected).toBe(correctAnswers[0])
  expect(product.repeatedRequests()).toEqual([])
  // The bad reading, the one that hung, and that one again; then the paper's only question for a model.
  expect(fake.records.counts()).toEqual({ received: 4, answered: 3, billed: 3 })
})
