import { createAssignment } from '@assay/shared/assignments.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { estimateRun, getRun, processAssignment, retryRun, stopRun } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { drawHandwrittenPaper } from '../../../../tests/papers/handwritten.ts'
import { LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { PageTranscriptModel } from '../../records/submissions/transcription.model.ts'
import {
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  handwrittenQuizLines,
  quizFiles,
  smallQuiz,
  waitForRun,
} from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const nobody = { full_name: '' }
const inTheKey = [correctAnswers[0], expect.stringMatching(/^B\b/), correctAnswers[2]]
const fake = useFakeLlm({ transcript: handwrittenQuizLines(nobody, correctAnswers).join('\n') })
let key: Buffer
beforeAll(async () => {
  key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 3 })
})
beforeEach(async () => {
  await PageTranscriptModel.deleteMany({})
})

async function build(settings: Partial<LlmSettings> = {}) {
  await chooseFakeLlm(api.as(await buildPerson('admin')), fake, settings)
  const instructor = await buildPerson('instructor')
  const teacher = api.as(instructor)
  const { blank } = await quizFiles()
  const created = await teacher.send(createAssignment, {
    body: { name: 'Key by hand' },
    files: {
      blank_pdf: [blank],
      answer_key_pdf: [{ name: 'key.pdf', bytes: key }],
      student_submission_pdfs: [{ name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) }],
    },
  })
  const assignmentId = created.body.id
  const params = { assignmentId }
  const rubric = async () => (await teacher.send(getRubric, { params })).body.rubric
  return {
    teacher,
    rubric,
    expected: async () => (await rubric())?.questions.map(({ criteria }) => criteria[0]?.expected),
    pagesToRead: async () => (await teacher.send(estimateRun, { params, body: { force: true } })).body.pages_to_read,
    grade: () => gradeAssignment(api, instructor, assignmentId, { force: true }),
    async begin() {
      const runId = (await teacher.send(processAssignment, { params })).body.run_id
      const ofRun = { assignmentId, runId }
      const run = async () => (await teacher.send(getRun, { params: ofRun })).body
      return { ofRun, run, ended: () => waitForRun(api, instructor, assignmentId, runId) }
    },
    statuses: async () => (await teacher.send(listSubmissions, { params })).body.map(({ status }) => status),
    readFor: async () =>
      (await LlmCallModel.find({ assignment_id: assignmentId, purpose: 'transcribe' }).lean()).map(
        ({ run_id }) => run_id,
      ),
  }
}

const asked = () => fake.requests.filter(({ asked }) => /picture of the page/.test(asked.system))
const refusal = { do: 'error' as const, status: 429, when: 'picture of the page' }

it('has the key read once, by the LLM, before its rubric is made, and says so beforehand', async () => {
  // Read now, so that the estimate does not wait for OCR on a busy machine.
  const blind = await build({ pictures: false })
  expect(await blind.grade()).toMatchObject({ status: 'completed', graded: 1 })
  expect(await blind.expected()).not.toEqual(inTheKey)
  expect(await blind.readFor()).toEqual([])

  const { expected, pagesToRead, grade, readFor } = await build()
  expect(await pagesToRead()).toBe(1)
  const run = await grade()
  expect(run).toMatchObject({ status: 'completed', graded: 1, failed: 0 })
  expect(await expected()).toEqual(inTheKey)
  expect(await readFor()).toEqual([run.id])

  expect(await pagesToRead()).toBe(0)
  await grade()
  expect(await readFor()).toEqual([run.id])
})

it('waits with its rubric while the provider is away, and goes on', async () => {
  const { teacher, expected, rubric, begin } = await build()
  fake.script({ ...refusal, headers: { 'retry-after': '600' } })
  const { run, ofRun, ended } = await begin()
  await expect.poll(async () => (await run()).waiting?.reason).toMatch(/rate limit/)
  expect(await run()).toMatchObject({ status: 'preparing', read: 0 })
  expect(await rubric()).toBeNull()
  expect(asked()).toHaveLength(1)
  await teacher.send(retryRun, { params: ofRun })
  expect(await ended()).toMatchObject({ status: 'completed', graded: 1, waiting: null })
  expect(await expected()).toEqual(inTheKey)
})

it('stops before a rubric is made of what OCR has, when the budget does not cover the page', async () => {
  const { rubric, begin, statuses } = await build({ monthly_budget: 0.001 })
  const { ended } = await begin()
  expect(await ended()).toMatchObject({ status: 'stopped', failure: expect.stringMatching(/budget/) })
  expect(await rubric()).toBeNull()
  await expect.poll(statuses).toEqual(['uploaded'])
  expect(asked()).toEqual([])
})

it('can be stopped while the LLM reads the key', async () => {
  const { teacher, rubric, begin, statuses } = await build()
  fake.script({ do: 'stall', when: 'picture of the page' })
  const { ofRun } = await begin()
  await expect.poll(() => asked().length).toBe(1)
  const stopped = await teacher.send(stopRun, { params: ofRun })
  expect(stopped.body).toMatchObject({ status: 'stopped', stopped: 1 })
  await expect.poll(() => asked()[0]?.abandoned).toBe(true)
  expect(await rubric()).toBeNull()
  expect(await statuses()).toEqual(['uploaded'])
})

it('goes on with what OCR has of a page that the LLM could not read, and says so with the rubric', async () => {
  const { rubric, grade } = await build()
  fake.script({ do: 'refuse', when: 'picture of the page', times: 2 })
  expect(await grade()).toMatchObject({ status: 'completed', graded: 1 })
  expect((await rubric())?.problems.map(({ message }) => message).join()).toMatch(
    /Page 1 of the answer key could not be read by the AI model/,
  )
})
