import { createAssignment, deleteAssignment, setNamesHidden } from '@assay/shared/assignments.ts'
import { confirmClassScan } from '@assay/shared/class-scans.ts'
import { createPrint, getAnswerSheetQuestions, getPrintedCopies, listPrints } from '@assay/shared/printing.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it, vi } from 'vitest'
import { drawBlank } from '../../../../../tests/papers/draw-papers.ts'
import { fitsLabel } from '../../../papers/answer-sheet/sheet-design.ts'
import { PrintModel } from '../../../records/assignments/print.model.ts'
import { buildSheetClass, marks, sheetExam } from '../../../testing/answer-sheet-class.ts'
import { buildAssignment, buildCourse, buildStudent, gradeAssignment } from '../../../testing/build-course.ts'
import { createCachedPaperReader, usePaperReader } from '../../../testing/cached-paper-reader.ts'
import { analyseClassScan } from '../../../testing/scanned-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { findAnswers } from '../../transcriptions/answers.service.ts'
import { findPrintedCopies, presentSheetQuestions } from './print.service.ts'

const { api } = useTestApi()
const { reader, papers } = usePaperReader(createCachedPaperReader())

async function build() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students = [
    await buildStudent(courseId, { full_name: 'Zoë Adler' }),
    await buildStudent(courseId, { full_name: 'Ada Lovelace' }),
  ]
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  return { teacher: api.as(instructor), courseId, assignmentId, students }
}

it('prints a copy for each student and spare ones, whose codes tell whose they are and nothing else', async () => {
  const { teacher, assignmentId, students } = await build()
  const params = { assignmentId }
  const body = { students: true, spares: 1, names: true, double_sided: false }
  const made = await teacher.send(createPrint, { params, body })
  expect(made).toMatchObject({ status: 201, body: { students: 2, spares: 1, current: true } })
  const again = await teacher.send(createPrint, { params, body: { ...body, students: false, names: false } })
  expect((await teacher.send(listPrints, { params })).body.map(({ id }) => id)).toEqual([again.body.id, made.body.id])

  const pdf = await teacher.send(getPrintedCopies, { params: { ...params, printId: made.body.id } })
  expect(pdf.status).toBe(200)
  const file = await papers.put(pdf.bytes)
  const codes = await reader.readPageCodes(file)
  const known = await findPrintedCopies(codes.map(({ copyId }) => copyId))
  const firstPages = codes.filter(({ page }) => page === 1).map(({ copyId }) => known.get(copyId))
  expect(firstPages.map((copy) => [copy?.assignment_id, copy?.student_id])).toEqual([
    [assignmentId, students[1]?.id],
    [assignmentId, students[0]?.id],
    [assignmentId, null],
  ])
  const { pages } = await reader.read(file)
  const texts = pages.map(({ lines }) => lines.map(({ text }) => text).join(' '))
  expect(texts[0]).toContain('Ada Lovelace')
  const next = await PrintModel.findById(again.body.id).lean()
  expect(next?.copies.map(({ number }) => number)).toEqual([4])
  expect(await findPrintedCopies(['f'.repeat(20)])).toEqual(new Map())
})

it('refuses a print of nothing and one of more pages than a PDF may have', async () => {
  const { teacher, assignmentId } = await build()
  const body = { students: false, spares: 0, names: false, double_sided: false }
  expect((await teacher.send(createPrint, { params: { assignmentId }, body })).status).toBe(400)
  expect(await PrintModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
})

it('deletes prints with their assignment', async () => {
  const { teacher, assignmentId } = await build()
  const body = { students: true, spares: 0, names: true, double_sided: true }
  await teacher.send(createPrint, { params: { assignmentId }, body })
  expect((await teacher.send(deleteAssignment, { params: { assignmentId } })).status).toBeLessThan(300)
  expect(await PrintModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
})

it('gives no two copies the same number, whoever prints at the same moment, and goes on from prints before it', async () => {
  const { teacher, assignmentId } = await build()
  const params = { assignmentId }
  const body = { students: false, spares: 20, names: false, double_sided: false }
  await teacher.send(createPrint, { params, body })
  const numbers = async () => {
    const prints = await PrintModel.find({ assignment_id: assignmentId }).lean()
    return prints.flatMap(({ copies }) => copies.map(({ number }) => number))
  }
  // A print from before there was a counter.
  await PrintModel.updateOne({ assignment_id: assignmentId, 'copies.number': 20 }, { $set: { 'copies.$.number': 50 } })
  await Promise.all(Array.from({ length: 6 }, () => teacher.send(createPrint, { params, body })))
  expect(new Set(await numbers()).size).toBe(7 * 20)
  expect((await numbers()).filter((number) => number > 50)).toHaveLength(6 * 20)
})

it('numbers copies in no order of names, and tells nobody whose they are while names are hidden', async () => {
  const { teacher, courseId, assignmentId } = await build()
  const params = { assignmentId }
  for (let i = 0; i < 18; i++) await buildStudent(courseId)
  const body = { students: true, spares: 0, names: false, double_sided: false }
  const { id } = (await teacher.send(createPrint, { params, body })).body
  const print = await PrintModel.findById(id).lean()
  const numbers = print?.copies.map(({ number }) => number) ?? []
  const inOrder = numbers.toSorted((a, b) => a - b)
  expect(inOrder).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  expect(numbers).not.toEqual(inOrder)

  await teacher.send(setNamesHidden, { params, body: { names_hidden: true } })
  const hidden = { status: 409, body: { error_code: 'names_hidden' } }
  expect(await teacher.send(createPrint, { params, body })).toMatchObject(hidden)
  expect(await teacher.send(getPrintedCopies, { params: { ...params, printId: id } })).toMatchObject(hidden)
  const spare = await teacher.send(createPrint, { params, body: { ...body, students: false, spares: 1 } })
  expect((await teacher.send(getPrintedCopies, { params: { ...params, printId: spare.body.id } })).status).toBe(200)
  await teacher.send(setNamesHidden, { params, body: { names_hidden: false } })
  expect((await teacher.send(getPrintedCopies, { params: { ...params, printId: id } })).status).toBe(200)
})

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
  // Ada all right, Zoë one wrong, one left out, one doubled.
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
  // The circles' place for the cut-out: on the sheet, behind the copy.
  const doubled = zoe.body.grade?.criterion_grades_collection[2]?.evidence
  expect(doubled).toEqual(zoe.answers[2]?.evidence)
  expect(doubled).toMatchObject([{ page: zoe.body.page_count }])
  expect(ada.stored?.extracted.warnings.map(({ code }) => code)).not.toContain('two_students')
})

const prompt = 'Which are prime?\nA) 2\nB) 4\nC) 5\nD) 9'
const question = (number: string, ...expected: string[]) => ({
  ...{ id: `q${number}`, number, kind: 'choice' as const, prompt, regions: [] },
  criteria: expected.map((one, i) => ({ id: `c${i}`, text: '', points: 1, expected: one, alternatives: [] })),
})

it('has no circles for a question that asks for several options, nor where its number cannot be printed in full', () => {
  const questions = [
    question('1', 'A'),
    question('2', 'A and C'),
    question('3', 'A', 'C'),
    question('3 a iii', 'B'),
    question('Section Botany 12', 'B'),
    { ...question('4', 'A'), prompt: 'Which are prime?' },
  ]
  const { questions: printed, left_out } = presentSheetQuestions({ questions, problems: [] }, [])
  expect(printed.map(({ number }) => number)).toEqual(['1', '3 a iii'])
  expect(left_out.map(({ number, why }) => [number, why])).toEqual([
    ['2', 'several'],
    ['3', 'several'],
    ['Section Botany 12', 'label'],
    ['4', 'options'],
  ])
})

it('prints what numbers mostly look like in full', () => {
  for (const label of ['12', '12(a)', '3 a ii', '10 b iii', 'Q12', '1.2.3', '4(c)(iv)'])
    expect([label, fitsLabel(label)]).toEqual([label, true])
  for (const label of ['Section B 1', '1 (part two)']) expect([label, fitsLabel(label)]).toEqual([label, false])
})
