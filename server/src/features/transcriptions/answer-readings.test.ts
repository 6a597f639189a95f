import { createAssignment } from '@assay/shared/assignments.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument, rgb } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { drawHandwrittenPaper, drawHandwrittenSheet } from '../../../../tests/papers/handwritten.ts'
import { AnswerReadingModel } from '../../records/submissions/transcription.model.ts'
import {
  buildCourse,
  buildPerson,
  correctAnswers,
  gradeAssignment,
  quizFiles,
  smallQuiz,
} from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api } = useTestApi({ AI_PRIVATE_ADDRESSES: 'on', GRADING_CONCURRENCY: '2' })
let paper: Buffer
const words = [
  'Water and heat',
  '1. Why does ice float on water? (10 points)',
  correctAnswers[0] ?? '',
  '2. Which of these conducts heat best? (5 points)',
  'A) Wood',
  'B) Copper',
  'C) Glass',
  'B',
  '3. How much is 12 times 12? (5 points)',
  '144',
]
const fake = useFakeLlm({ transcript: words.join('\n') })
beforeAll(async () => {
  paper = await drawHandwrittenPaper(smallQuiz, { full_name: 'Ada Byron' }, correctAnswers, { wild: 0.75, seed: 3 })
})

const asTranscribed = () => fake.requests.filter(({ asked }) => /pictures of the pages/.test(asked.system))

const choose = async (more: { pictures: boolean }) => chooseFakeLlm(api.as(await buildPerson('admin')), fake, more)

async function buildHandwritten(instructor: Person, bytes = paper) {
  const { blank, key } = await quizFiles()
  const teacher = api.as(instructor)
  const created = await teacher.send(createAssignment, {
    body: { name: 'By hand', student_submissions_are_handwritten: [true] },
    files: { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: [{ name: 'scan.pdf', bytes }] },
  })
  const assignmentId = created.body.id
  const [row] = (await teacher.send(listSubmissions, { params: { assignmentId } })).body
  const params = { assignmentId, submissionId: row?.id ?? 0 }
  return {
    assignmentId,
    transcription: async () => (await teacher.send(getTranscription, { params })).body,
    grade: async () => (await teacher.send(getSubmission, { params })).body.grade,
  }
}

it('takes OCR for a hint without an LLM that reads images, and has the LLM read each page once', async () => {
  const { instructor } = await buildCourse(api, { students: 0 })
  const { assignmentId, transcription, grade } = await buildHandwritten(instructor)
  await choose({ pictures: false })
  await gradeAssignment(api, instructor, assignmentId)
  const hint = await transcription()
  expect([hint.model, asTranscribed().length]).toEqual([null, 0])
  expect(hint.answers[0]?.text).not.toBe(correctAnswers[0])
  expect(hint.answers[0]?.reading).toBeLessThan(0.75)
  expect((await grade())?.review_reasons.map(({ code }) => code)).toContain('poor_reading')

  await choose({ pictures: true })
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  const read = await transcription()
  expect(read.model).toBe('openai-compatible/fake-1')
  expect(read.answers.map(({ text }) => text)).toEqual(correctAnswers)
  expect(read.answers[0]?.reading).toBeGreaterThan(0.9)
  // The words' own boxes, without the ruled line below.
  const [found, place] = [read.answers[0]?.evidence[0]?.box, hint.answers[0]?.evidence[0]?.box]
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs((found?.[side] ?? 0) - (place?.[side] ?? 99))).toBeLessThan(3)
  expect((await grade())?.review_reasons.map(({ code }) => code)).not.toContain('poor_reading')
  expect(asTranscribed()).toHaveLength(1)

  await gradeAssignment(api, instructor, assignmentId, { force: true })
  expect(asTranscribed()).toHaveLength(1)
})

it('sends no name: its row is painted over', async () => {
  await choose({ pictures: true })
  await AnswerReadingModel.deleteMany({})
  const { instructor } = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildHandwritten(instructor)
  await gradeAssignment(api, instructor, assignmentId)
  await seeNoName(asTranscribed()[0]?.asked.pictures[0])
})

it('sends no name where the page with its row comes last, and neither a label nor a roster identifies it', async () => {
  await choose({ pictures: true })
  await AnswerReadingModel.deleteMany({})
  const { instructor } = await buildCourse(api, { students: 0 })
  const own = await PDFDocument.load(await drawHandwrittenSheet(['more of 1: it is light'], { wild: 0.3, seed: 2 }))
  const quiz = await PDFDocument.load(paper)
  // Over the printed “Name:”.
  quiz.getPage(0).drawRectangle({ x: 50, y: 842 - 128, width: 46, height: 20, color: rgb(0.8, 0.8, 0.8) })
  const both = await PDFDocument.create({ updateMetadata: false })
  for (const from of [own, quiz]) for (const one of await both.copyPages(from, [0])) both.addPage(one)
  const { assignmentId } = await buildHandwritten(instructor, Buffer.from(await both.save()))
  await gradeAssignment(api, instructor, assignmentId)
  const [only, ...more] = asTranscribed()
  expect([more, only?.asked.pictures.length]).toEqual([[], 2])
  await seeNoName(only?.asked.pictures[1])
})

/** The name is at about y 119 of 842 points, the first question at 165. */
async function seeNoName(picture: { bytes: Buffer } | undefined) {
  const { data, info } = await sharp(picture?.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  const rows = [0.133, 0.14, 0.147].map((share) => {
    const y = Math.round(share * info.height)
    const row = data.subarray(y * info.width, (y + 1) * info.width)
    return Math.max(...row) - Math.min(...row)
  })
  expect(Math.max(...rows)).toBeLessThan(16)
  const question = data.subarray(
    Math.round(0.19 * info.height) * info.width,
    Math.round(0.2 * info.height) * info.width,
  )
  expect(Math.min(...question)).toBeLessThan(90)
}

it('falls back on OCR with a flag when the LLM cannot read this page', async () => {
  await choose({ pictures: true })
  await AnswerReadingModel.deleteMany({})
  const { instructor } = await buildCourse(api, { students: 0 })
  const { assignmentId, transcription, grade } = await buildHandwritten(instructor)
  fake.script({ do: 'refuse', when: /pictures of the pages/, times: 2 })
  const run = await gradeAssignment(api, instructor, assignmentId)
  expect(run).toMatchObject({ status: 'completed', graded: 1, failed: 0 })
  expect((await transcription()).model).toBeNull()
  expect((await grade())?.review_reasons.map(({ message }) => message).join()).toMatch(
    /Page 1 could not be read by the AI model/,
  )
})
