import { createAssignment } from '@assay/shared/assignments.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { beforeAll, expect, it } from 'vitest'
import { drawHandwrittenPaper } from '../../../../tests/papers/handwritten.ts'
import { LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { buildPerson, correctAnswers, handwrittenQuizLines, quizFiles, smallQuiz } from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()
const nobody = { full_name: '' }
/** A speck beside the letter may be read as one more. */
const inTheKey = [correctAnswers[0], expect.stringMatching(/^B\b/), correctAnswers[2]]
const fake = useFakeLlm({ transcript: handwrittenQuizLines(nobody, correctAnswers).join('\n') })
let key: Buffer
beforeAll(async () => {
  key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 3 })
})

async function build(pictures: boolean, more: Partial<LlmSettings> = {}) {
  await chooseFakeLlm(api.as(await buildPerson('admin')), fake, { pictures, ...more })
  fake.reset()
  const teacher = api.as(await buildPerson('instructor'))
  const { blank } = await quizFiles()
  const created = await teacher.send(createAssignment, {
    body: { name: 'By hand' },
    files: { blank_pdf: [blank], answer_key_pdf: [{ name: 'key.pdf', bytes: key }] },
  })
  const params = { assignmentId: created.body.id }
  const loadRubric = async () => (await teacher.send(getRubric, { params })).body
  const make = async (by: 'rules' | 'model') => {
    await teacher.send(generateRubric, { params, body: { by, replace: true } })
    await expect.poll(async () => (await loadRubric()).generation?.state ?? 'over').not.toBe('running')
    return loadRubric()
  }
  const read = () => LlmCallModel.countDocuments({ ...ofAssignment, purpose: 'transcribe' })
  const ofAssignment = { assignment_id: params.assignmentId }
  return { make, read }
}

const expectedOf = ({ rubric }: Awaited<ReturnType<Awaited<ReturnType<typeof build>>['make']>>) =>
  rubric?.questions.map(({ criteria }) => criteria[0]?.expected)

it('is read by a model that sees pictures, once, before it makes the rubric of it', async () => {
  const blind = await build(false)
  expect(expectedOf(await blind.make('model'))).not.toEqual(inTheKey)
  expect(await blind.read()).toBe(0)

  const seeing = await build(true)
  expect(expectedOf(await seeing.make('model'))).toEqual(inTheKey)
  // The blank is read from its file.
  expect(await seeing.read()).toBe(1)
  expect(expectedOf(await seeing.make('rules'))).toEqual(inTheKey)
  expect(expectedOf(await seeing.make('model'))).toEqual(inTheKey)
  expect(await seeing.read()).toBe(1)
})

it('is read by it before the rules make the rubric, too', async () => {
  key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 5 })
  const { make, read } = await build(true)
  expect(expectedOf(await make('rules'))).toEqual(inTheKey)
  expect(await read()).toBe(1)
})

it('is read by OCR for the rules, which say so, where the LLM may not be used', async () => {
  key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 6 })
  const { make, read } = await build(true, { monthly_budget: 0.001 })
  const { rubric, generation } = await make('rules')
  expect(generation).toBeNull()
  expect(rubric?.problems[0]?.message).toMatch(/could not read the scanned pages .*budget/)
  expect(await read()).toBe(0)
  const failed = await make('model')
  expect(failed.generation).toMatchObject({ state: 'failed', message: expect.stringMatching(/budget/) })
})

it('stays as OCR has it, and says so, where the LLM could not read it', async () => {
  key = await drawHandwrittenPaper(smallQuiz, nobody, correctAnswers, { wild: 0.75, seed: 4 })
  const { make } = await build(true)
  fake.script({ do: 'refuse', when: /picture of the page/, times: 2 })
  const { rubric } = await make('model')
  expect(rubric?.problems.map(({ message }) => message).join()).toMatch(
    /Page 1 of the answer key could not be read by the AI model/,
  )
})
