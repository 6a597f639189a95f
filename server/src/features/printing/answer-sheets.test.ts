import { createAssignment } from '@assay/shared/assignments.ts'
import { confirmClassScan } from '@assay/shared/class-scans.ts'
import { createPrint, getAnswerSheetQuestions } from '@assay/shared/printing.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it, vi } from 'vitest'
import { drawBlank } from '../../../../tests/papers/draw-papers.ts'
import { buildSheetClass, marks, sheetExam } from '../../testing/answer-sheet-class.ts'
import { gradeAssignment } from '../../testing/build-course.ts'
import { analyseClassScan } from '../../testing/scanned-class.ts'
import { useTestApi } from '../../testing/server.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'

const { api } = useTestApi()
const waiting = { timeout: 180_000, interval: 200 }

async function together(...pdfs: Buffer[]): Promise<Buffer> {
  const document = await PDFDocument.create()
  for (const pdf of pdfs) {
    const source = await PDFDocument.load(pdf)
    for (const page of await document.copyPages(source, source.getPageIndices())) document.addPage(page)
  }
  return Buffer.from(await document.save())
}

it('says what a sheet would have, and prints none where there is nothing to put on it', async () => {
  const { teacher, params, print, instructor, courseId } = await buildSheetClass(api)
  const { body } = await teacher.send(getAnswerSheetQuestions, { params })
  expect(body).toEqual({
    questions: [...[3, 4, 4, 4].map((options, i) => ({ number: String(i + 1), options })), { number: '6', options: 2 }],
    left_out: [],
    digits: 5,
    versions: false,
  })
  const { printed } = await print('answer_sheets', true, 1)
  expect(printed).toMatchObject({ status: 201, body: { kind: 'answer_sheets', students: 2, spares: 1, pages: 1 } })
  const file = { name: 'blank.pdf', bytes: await drawBlank(sheetExam) }
  const files = { blank_pdf: [file], answer_key_pdf: [file] }
  const other = await api.as(instructor).send(createAssignment, { body: { name: 'New', course_id: courseId }, files })
  const form = { kind: 'answer_sheets' as const, students: false, spares: 1, names: false, double_sided: false }
  const refused = await teacher.send(createPrint, { params: { assignmentId: other.body.id }, body: form })
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('rubric') } })
})

it('grades a class scan of written copies and answer sheets, a student’s together, and leaves doubtful marks to a person', async () => {
  const { instructor, teacher, students, params, print, fill } = await buildSheetClass(api)
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
