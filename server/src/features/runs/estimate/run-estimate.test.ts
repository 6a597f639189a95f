import { createAssignment } from '@assay/shared/assignments.ts'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import { estimateRun, type RunSelection } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, expect, it } from 'vitest'
import {
  buildAssignment,
  buildCourse,
  buildGraded,
  buildPerson,
  correctAnswers,
  decideGrade,
  drawPaper,
  gradeAssignment,
  handwrittenQuizLines,
  quizFiles,
} from '../../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../../testing/llm-settings.ts'
import { type Caller, type Person, useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on' })
const fake = useFakeLlm({ transcript: handwrittenQuizLines({ full_name: 'Ada' }, correctAnswers).join('\n') })
let admin: Caller
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
})
const choose = (more: Partial<LlmSettings> = {}) => chooseFakeLlm(admin, fake, more)

async function estimateOf(teacher: Caller, assignmentId: number, what: RunSelection = {}) {
  const reply = await teacher.send(estimateRun, { params: { assignmentId }, body: what })
  expect(reply.status).toBe(200)
  return reply.body
}

/** In tokens, since the last reset. */
function billed() {
  const all = fake.requests.filter((one) => one.billed)
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    pages: all.reduce(
      (sum, { asked }) => sum + (/pictures of the pages/.test(asked.system) ? asked.pictures.length : 0),
      0,
    ),
    input_tokens: sum((one) => one.input_tokens),
    output_tokens: sum((one) => one.output_tokens),
  }
}

/** Rather above than below: money is reserved by it. */
function expectNear(estimated: number, paid: number, [least, most]: [number, number]) {
  expect(paid).toBeGreaterThan(0)
  expect(estimated / paid).toBeGreaterThan(least)
  expect(estimated / paid).toBeLessThan(most)
}

async function buildHandwritten(instructor: Person, count: number) {
  const { blank, key } = await quizFiles()
  const created = await api
    .as(instructor)
    .send(createAssignment, {
      body: { name: 'By hand', student_submissions_are_handwritten: Array(count).fill(true) },
      files: {
        blank_pdf: [blank],
        answer_key_pdf: [key],
        student_submission_pdfs: await Promise.all(
          Array.from({ length: count }, async (_, i) => ({
            name: `scan-${i}.pdf`,
            bytes: await drawPaper({ full_name: `Student ${i}` }, correctAnswers),
          })),
        ),
      },
    })
  return created.body.id
}

it('counts the pages an LLM is to transcribe first, as the provider then charges for them, and only once', {
  timeout: 180_000,
}, async () => {
  await choose()
  const { instructor } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  // Another assignment's same blank and key are read already, so that a busy machine needs no wait.
  const bytes = await drawPaper({ full_name: 'Another' }, correctAnswers)
  const { assignmentId: earlier } = await buildAssignment(api, { instructor }, [{ name: 'a.pdf', bytes }])
  await gradeAssignment(api, instructor, earlier)
  fake.reset()
  const assignmentId = await buildHandwritten(instructor, 2)
  const before = await estimateOf(teacher, assignmentId)
  expect(before).toMatchObject({ papers: 2, unread: 2, pages_to_read: 2 })
  await gradeAssignment(api, instructor, assignmentId)
  const first = billed()
  expect(first.pages).toBe(2)
  // There was no rubric yet, and no paper was read.
  expectNear(before.input_tokens, first.input_tokens, [0.8, 4])
  expectNear(before.output_tokens, first.output_tokens, [0.5, 4])

  fake.reset()
  const again = await estimateOf(teacher, assignmentId, { force: true })
  expect(again).toMatchObject({ unread: 0, pages_to_read: 0 })
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  expect(billed().pages).toBe(0)
  expectNear(again.input_tokens, billed().input_tokens, [0.8, 1.8])

  fake.reset()
  await choose({ model: 'fake-2' })
  const other = await estimateOf(teacher, assignmentId, { force: true })
  expect(other).toMatchObject({ unread: 0, pages_to_read: 2 })
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  const second = billed()
  expect(second.pages).toBe(2)
  expectNear(other.input_tokens, second.input_tokens, [0.8, 1.8])
  expectNear(other.output_tokens, second.output_tokens, [0.5, 4])
  await choose({ model: 'fake-3', pictures: false })
  const blind = await estimateOf(teacher, assignmentId, { force: true })
  expect(blind.pages_to_read).toBe(0)
  expect(blind.input_tokens).toBeLessThan(other.input_tokens / 2)
})

it('counts the teacher’s decisions sent as examples, and leaves out what is decided', {
  timeout: 180_000,
}, async () => {
  await choose({ pictures: false })
  const long = (i: number) =>
    `Ice is less dense than water, as measured ${i + 3} times: ${'it swims, and sinks no deeper than nine tenths. '.repeat(2)}`
  // Only who is known by name can be masked, and only who is masked is an example.
  const names = ['Ada Byron', 'Ben Okri', 'Cleo Marsh', 'Dora Quist', 'Emil Sand', 'Fay Torres']
  const answerSets = names.map((_, i) => [long(i), 'B', '144'])
  const { instructor, teacher, assignmentId } = await buildGraded(api, answerSets, { names })
  const plain = await estimateOf(teacher, assignmentId, { force: true })
  const rows = (await teacher.send(listSubmissions, { params: { assignmentId } })).body
  for (const [i, { id: submissionId }] of rows.slice(0, 4).entries()) {
    const { grade } = (await teacher.send(getSubmission, { params: { assignmentId, submissionId } })).body
    const criterion_id = grade?.criterion_grades_collection[0]?.criterion_id ?? ''
    await decideGrade(teacher, { assignmentId, submissionId }, { criteria: [{ criterion_id, score: i + 3 }] })
  }
  // The only question for the LLM is decided.
  fake.reset()
  const all = await estimateOf(teacher, assignmentId, { force: true })
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  expect(fake.requests).toHaveLength(2)
  expectNear(all.input_tokens, billed().input_tokens, [0.9, 1.6])
  expectNear(all.output_tokens, billed().output_tokens, [0.5, 4])
  // Each of the two left has four others' answers beside it.
  expect(all.input_tokens / 2).toBeGreaterThan((plain.input_tokens / 6) * 1.25)
})

it('counts second opinions at the price of the LLM that gives them', async () => {
  await choose({ pictures: false })
  const { teacher, assignmentId } = await buildGraded(api, [correctAnswers])
  const cost = async (more: Partial<LlmSettings>) => {
    await choose({ pictures: false, ...more })
    return (await estimateOf(teacher, assignmentId, { force: true })).dollars ?? 0
  }
  const one = await cost({})
  expect(one).toBeGreaterThan(0)
  expect(await cost({ second_opinion: 'same' })).toBeCloseTo(one * 1.3, 1)
  const other = { second_opinion: 'other' as const, second_model: 'bigger' }
  expect(await cost({ ...other, second_price: { input: 10_000, output: 10_000 } })).toBeCloseTo(one * 4, 1)
  expect(await cost(other)).toBeCloseTo(one, 6)
})
