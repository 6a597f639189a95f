import { createAssignment } from '@assay/shared/assignments.ts'
import { confirmClassScan } from '@assay/shared/class-scans.ts'
import { createPrint, getAnswerSheetQuestions, getPrintedCopies } from '@assay/shared/printing.ts'
import { generateRubric, getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission, listSubmissions, uploadSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it, vi } from 'vitest'
import { type FilledSheet, scanFilledSheets } from '../../../../tests/papers/answer-sheets/filled-sheets.ts'
import { drawBlank, drawKey } from '../../../../tests/papers/draw-papers.ts'
import type { DrawnAssignment } from '../../../../tests/papers/drawn-assignment.ts'
import { PrintModel } from '../../records/assignments/print.model.ts'
import { analyseClassScan } from '../../testing/analyse-class-scan.ts'
import { createTestApi } from '../../testing/api.ts'
import { buildCourse, buildPerson, enrol, gradeAssignment } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { designOf } from './answer-sheet.ts'

const api = createTestApi(useServer())
const waiting = { timeout: 180_000, interval: 200 }

const choices = [
  ['Which of these conducts heat best?', ['Wood', 'Copper', 'Glass'], 'B'],
  ['Which planet is nearest to the sun?', ['Venus', 'Mars', 'Mercury', 'Saturn'], 'C'],
  ['Which gas do plants take in?', ['Oxygen', 'Carbon dioxide', 'Argon', 'Helium'], 'B'],
  ['Which unit measures force?', ['Joule', 'Watt', 'Newton', 'Pascal'], 'C'],
] as const

const exam: DrawnAssignment = {
  title: 'Science, autumn test',
  course: 'Science',
  instructions: 'Answer all questions.',
  questions: [
    ...choices.map(([prompt, options, answer], i) => ({
      ...{ number: String(i + 1), prompt, points: 5, lines: 1 },
      ...{ choices: [...options], answer },
    })),
    { number: '5', prompt: 'How much is 12 times 12?', points: 5, lines: 1, answer: '144' },
    { number: '6', prompt: 'True or false: ice floats on water.', points: 5, lines: 1, answer: 'True' },
  ],
}

async function build(numbers = ['31415', '27182']) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students = []
  for (const [i, full_name] of ['Ada Lovelace', 'Zoë Adler'].entries()) {
    const student = await buildPerson('student', { full_name, student_number: numbers[i] ?? '' })
    await enrol(courseId, student)
    students.push(student)
  }
  const teacher = api.as(instructor)
  const made = await teacher.send(createAssignment, {
    body: { name: exam.title, course_id: courseId },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(exam) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(exam) }],
    },
  })
  const params = { assignmentId: made.body.id }
  await teacher.send(generateRubric, { params, body: { by: 'rules' } })
  await vi.waitFor(async () => expect((await teacher.send(getRubric, { params })).body.rubric).not.toBeNull(), waiting)
  const print = async (kind: 'copies' | 'answer_sheets', students: boolean, spares: number) => {
    const body = { kind, students, spares, names: students, double_sided: false }
    const printed = await teacher.send(createPrint, { params, body })
    const pdf = await teacher.send(getPrintedCopies, { params: { ...params, printId: printed.body.id } })
    const stored = await PrintModel.findById(printed.body.id).lean()
    return { pdf: pdf.bytes, stored, printed }
  }
  /** Fills the printed sheets, each by its answers, in their order. */
  const fill = async ({ pdf, stored }: Awaited<ReturnType<typeof print>>, filled: Partial<FilledSheet>[]) => {
    if (!stored?.sheet) throw new Error('no answer sheets')
    const sheet = stored.sheet
    const sheets = filled.map((one, i) => {
      const design = designOf(sheet, stored.copies[i] ?? { student_id: null })
      return { page: i + 1, design, sheetPage: 1, careful: true, turned: 0.6, dpi: 150, ...one }
    })
    return (await scanFilledSheets(pdf, sheets, 5)).scan
  }
  return { instructor, teacher, courseId, students, params, print, fill }
}

const marks = (letters: string, number = '') =>
  new Map<string, number | null>([
    ...[...letters].map((letter, i) => [`q${i + 1}`, letter === '-' ? null : letter.charCodeAt(0) - 65] as const),
    ...[...number].map((digit, place) => [String(place), Number(digit)] as const),
  ])

async function together(...pdfs: Buffer[]): Promise<Buffer> {
  const document = await PDFDocument.create()
  for (const pdf of pdfs) {
    const source = await PDFDocument.load(pdf)
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  }
  return Buffer.from(await document.save())
}

it('says what a sheet would have, and prints none where there is nothing to put on it', async () => {
  const { teacher, params, print, instructor, courseId } = await build()
  const { body } = await teacher.send(getAnswerSheetQuestions, { params })
  expect(body).toEqual({
    questions: [...[3, 4, 4, 4].map((options, i) => ({ number: String(i + 1), options })), { number: '6', options: 2 }],
    left_out: [],
    digits: 5,
    versions: false,
  })
  const { printed } = await print('answer_sheets', true, 1)
  expect(printed).toMatchObject({ status: 201, body: { kind: 'answer_sheets', students: 2, spares: 1, pages: 1 } })
  const file = { name: 'blank.pdf', bytes: await drawBlank(exam) }
  const files = { blank_pdf: [file], answer_key_pdf: [file] }
  const other = await api.as(instructor).send(createAssignment, { body: { name: 'New', course_id: courseId }, files })
  const form = { kind: 'answer_sheets' as const, students: false, spares: 1, names: false, double_sided: false }
  const refused = await teacher.send(createPrint, { params: { assignmentId: other.body.id }, body: form })
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('rubric') } })
})

it('grades a class scan of written copies and answer sheets, a student’s together, and leaves doubtful marks to a person', async () => {
  const { instructor, teacher, students, params, print, fill } = await build()
  const copies = await print('copies', true, 0)
  const sheets = await print('answer_sheets', true, 0)
  // In the order of names: Ada all right, Zoë one wrong, one left out, one doubled.
  const scan = await fill(sheets, [
    { choices: marks('BCBC').set('q6', 0), turned: 180.5 },
    { choices: marks('A-BC').set('q6', 1), accidents: new Map([['q3', 'double']]) },
  ])
  const stack = await together(scan, copies.pdf)
  const { ids, open } = await analyseClassScan(teacher, params, stack)
  const { papers, dropped, revision } = await open()
  expect(dropped).toEqual([])
  expect(papers.map(({ student_id, student_by, notes }) => [student_id, student_by, notes])).toEqual(
    students.map(({ id }) => [id, 'code', []]),
  )
  expect(papers.flatMap(({ pages }) => pages.flatMap(({ doubts }) => doubts))).toEqual([])
  await teacher.send(confirmClassScan, { params: ids, body: { revision } })
  await vi.waitFor(async () => expect((await open()).state).toBe('confirmed'), waiting)
  await gradeAssignment(api, instructor, params.assignmentId)

  const rows = (await teacher.send(listSubmissions, { params, query: {} })).body
  const of = async (index: number) => {
    const row = rows.find(({ student }) => student?.id === students[index]?.id)
    const submission = { ...params, submissionId: row?.id ?? 0 }
    const { body } = await teacher.send(getSubmission, { params: submission })
    const read = (await teacher.send(getTranscription, { params: submission })).body
    return { body, answers: read.answers, stored: await findAnswers(row?.id ?? 0) }
  }
  const ada = await of(0)
  expect(ada.answers.slice(0, 4).map(({ text, sheet }) => [text, sheet?.flag])).toEqual(
    [...'BCBC'].map((letter) => [letter, null]),
  )
  expect(ada.body.problems).toBeUndefined()
  const scores = ({ body }: typeof ada) => body.grade?.criterion_grades_collection.slice(0, 4).map(({ score }) => score)
  expect(scores(ada)).toEqual([5, 5, 5, 5])
  const truthOf = ({ body, answers }: typeof ada) => [
    answers[5]?.text,
    body.grade?.criterion_grades_collection[5]?.score,
  ]
  expect(truthOf(ada)).toEqual(['True', 5])
  const zoe = await of(1)
  expect(scores(zoe)).toEqual([0, null, null, 5])
  expect(truthOf(zoe)).toEqual(['False', 0])
  expect(zoe.body.grade?.needs_review).toBe(true)
  expect(zoe.body.grade?.review_reasons.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('more than one circle is filled'),
  )
  const messages = zoe.stored?.extracted.warnings.map(({ message }) => message)
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Question 2 was not read from the answer sheet: no circle is filled.'),
      expect.stringContaining('Question 3 was not read from the answer sheet: more than one circle is filled.'),
    ]),
  )
  // With the place of the circles, for the cut-out: on the sheet, which lies behind the copy.
  const doubled = zoe.body.grade?.criterion_grades_collection[2]?.evidence
  expect(doubled).toEqual(zoe.answers[2]?.evidence)
  expect(doubled).toMatchObject([{ page: zoe.body.page_count }])
  expect(ada.stored?.extracted.warnings.map(({ code }) => code)).not.toContain('two_students')
})

it('finds the student of a blank sheet by the number filled in, and grades by the options that were printed', async () => {
  const { instructor, teacher, students, params, print, fill } = await build()
  const sheets = await print('answer_sheets', false, 3)
  const scan = await fill(sheets, [
    { choices: marks('BCBC', '27182'), turned: 180.4 },
    { choices: marks('BCBC', '99999') },
    { choices: marks('BCBC', '3141-') },
  ])
  const source = await PDFDocument.load(scan)
  const files = []
  for (const page of source.getPageIndices()) {
    const one = await PDFDocument.create()
    for (const copied of await one.copyPages(source, [page])) one.addPage(copied)
    files.push({ name: `scan ${page}.pdf`, bytes: Buffer.from(await one.save()) })
  }
  // After the sheets were printed, two options of a question changed places.
  const { body: current } = await teacher.send(getRubric, { params })
  if (!current.rubric) throw new Error('no rubric')
  const questions = current.rubric.questions.map((question, i) =>
    i === 1
      ? {
          ...question,
          prompt: question.prompt.replace('Venus', '#').replace('Mars', 'Venus').replace('#', 'Mars'),
        }
      : question,
  )
  const saved = await teacher.send(saveRubric, {
    params,
    body: { rubric: { ...current.rubric, questions }, version: current.version },
  })
  expect(saved.status).toBe(200)
  await teacher.send(uploadSubmissions, { params, files: { files } })
  await gradeAssignment(api, instructor, params.assignmentId)
  const rows = (await teacher.send(listSubmissions, { params, query: {} })).body
  const owner = (name: string) => rows.find(({ file_name }) => file_name === name)?.student?.id ?? null
  expect(['scan 0.pdf', 'scan 1.pdf', 'scan 2.pdf'].map(owner)).toEqual([students[1]?.id, null, null])
  const stored = await findAnswers(rows.find(({ file_name }) => file_name === 'scan 0.pdf')?.id ?? 0)
  expect(stored?.extracted.answers.slice(0, 4).map(({ text }) => text)).toEqual(['B', '', 'B', 'C'])
  // On the page upright, below the grid for the number.
  const [first] = stored?.extracted.answers[0]?.evidence ?? []
  expect(first?.box.y).toBeGreaterThan(310)
  expect(first?.box.y).toBeLessThan(350)
  expect(stored?.extracted.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('its options have changed since the sheet was printed'),
  ])
})

it('grades each version of a paper by its own key, and leaves a sheet without a version to a person', async () => {
  const { instructor, teacher, students, params, print, fill } = await build()
  const { body: current } = await teacher.send(getRubric, { params })
  if (!current.rubric) throw new Error('no rubric')
  const keys: Record<string, string> = { q1: 'C', q2: 'A', q3: 'B', q4: 'D', q6: 'False' }
  const questions = current.rubric.questions.map((question) => {
    const B = keys[question.id]
    return B ? { ...question, version_keys: { B } } : question
  })
  const body = { rubric: { ...current.rubric, questions }, version: current.version }
  expect((await teacher.send(saveRubric, { params, body })).status).toBe(200)
  expect((await teacher.send(getAnswerSheetQuestions, { params })).body.versions).toBe(true)
  const sheets = await print('answer_sheets', true, 0)
  expect(sheets.stored?.sheet?.versions).toBe(true)
  // Ada has version B: right, right, right, and what is right in version A alone. Zoë says nothing of hers.
  const scan = await fill(sheets, [
    { choices: marks('CABC').set('q6', 1).set('version', 1) },
    { choices: marks('BCBC').set('q6', 0).set('version', null) },
  ])
  const source = await PDFDocument.load(scan)
  const files = []
  for (const page of source.getPageIndices()) {
    const one = await PDFDocument.create()
    for (const copied of await one.copyPages(source, [page])) one.addPage(copied)
    files.push({ name: `scan ${page}.pdf`, bytes: Buffer.from(await one.save()) })
  }
  await teacher.send(uploadSubmissions, { params, files: { files } })
  await gradeAssignment(api, instructor, params.assignmentId)
  const rows = (await teacher.send(listSubmissions, { params, query: {} })).body
  const of = async (index: number) => {
    const row = rows.find(({ student }) => student?.id === students[index]?.id)
    const submission = { ...params, submissionId: row?.id ?? 0 }
    const { grade } = (await teacher.send(getSubmission, { params: submission })).body
    const read = (await teacher.send(getTranscription, { params: submission })).body
    const graded = (grade?.criterion_grades_collection ?? []).filter(({ question_id }) => question_id !== 'q5')
    return { grade, graded, sheets: read.answers.flatMap(({ sheet }) => sheet ?? []) }
  }
  const ada = await of(0)
  expect(ada.graded.map(({ score, evidence }) => [score, evidence[0]?.quote])).toEqual([
    [5, 'C (version B)'],
    [5, 'A (version B)'],
    [5, 'B (version B)'],
    [0, 'C (version B)'],
    [5, 'False (version B)'],
  ])
  expect(ada.sheets.map(({ version }) => version)).toEqual(Array(5).fill('B'))
  const zoe = await of(1)
  expect(zoe.graded.map(({ score }) => score)).toEqual(Array(5).fill(null))
  expect(zoe.sheets.map(({ flag }) => flag)).toEqual(Array(5).fill('version'))
  expect(zoe.grade?.review_reasons.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('which version of the paper it is, A, B, C or D, is not plainly filled in'),
  )
})
