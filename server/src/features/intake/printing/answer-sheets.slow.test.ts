import { getAnswerSheetQuestions } from '@assay/shared/printing.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission, listSubmissions, uploadSubmissions } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { buildSheetClass, marks } from '../../../testing/answer-sheet-class.ts'
import { gradeAssignment } from '../../../testing/build-course.ts'
import { useTestApi } from '../../../testing/server.ts'
import { findAnswers } from '../../transcriptions/answers.service.ts'

const { api } = useTestApi()

async function pageByPage(scan: Buffer) {
  const source = await PDFDocument.load(scan)
  const files = []
  for (const page of source.getPageIndices()) {
    const one = await PDFDocument.create()
    for (const copied of await one.copyPages(source, [page])) one.addPage(copied)
    files.push({ name: `scan ${page}.pdf`, bytes: Buffer.from(await one.save()) })
  }
  return files
}

it('finds the student of a blank sheet by the number filled in, and grades by the options that were printed', async () => {
  const { instructor, teacher, students, params, print, fill } = await buildSheetClass(api)
  const sheets = await print('answer_sheets', false, 3)
  const scan = await fill(sheets, [
    { choices: marks('BCBC', '27182'), turned: 180.4 },
    { choices: marks('BCBC', '99999') },
    { choices: marks('BCBC', '3141-') },
  ])
  const files = await pageByPage(scan)
  // Two options of a question changed places after printing.
  const { body: current } = await teacher.send(getRubric, { params })
  if (!current.rubric) throw new Error('no rubric')
  const questions = current.rubric.questions.map((question, i) =>
    i === 1
      ? { ...question, prompt: question.prompt.replace('Venus', '#').replace('Mars', 'Venus').replace('#', 'Mars') }
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
  const [first] = stored?.extracted.answers[0]?.evidence ?? []
  expect(first?.box.y).toBeGreaterThan(310)
  expect(first?.box.y).toBeLessThan(350)
  expect(stored?.extracted.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('its options have changed since the sheet was printed'),
  ])
})

it('grades each version of a paper by its own key, and leaves a sheet without a version to a person', async () => {
  const { instructor, teacher, students, params, print, fill } = await buildSheetClass(api)
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
  // Ada has version B: three right, and one right in version A alone. Zoë marks no version.
  const scan = await fill(sheets, [
    { choices: marks('CABC').set('q6', 1).set('version', 1) },
    { choices: marks('BCBC').set('q6', 0).set('version', null) },
  ])
  const files = await pageByPage(scan)
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
