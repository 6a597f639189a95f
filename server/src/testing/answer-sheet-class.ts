import { createAssignment } from '@assay/shared/assignments.ts'
import { createPrint, getPrintedCopies } from '@assay/shared/printing.ts'
import { generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { expect, vi } from 'vitest'
import { type FilledSheet, scanFilledSheets } from '../../../tests/papers/answer-sheets/filled-sheets.ts'
import { drawBlank, drawKey } from '../../../tests/papers/draw-papers.ts'
import type { DrawnAssignment } from '../../../tests/papers/drawn-assignment.ts'
import { designOf } from '../features/intake/printing/print.service.ts'
import { PrintModel } from '../records/assignments/print.model.ts'
import { buildCourse, buildStudent } from './build-course.ts'
import type { Api } from './server.ts'

const waiting = { timeout: 180_000, interval: 200 }

export const choices = [
  ['Which of these conducts heat best?', ['Wood', 'Copper', 'Glass'], 'B'],
  ['Which planet is nearest to the sun?', ['Venus', 'Mars', 'Mercury', 'Saturn'], 'C'],
  ['Which gas do plants take in?', ['Oxygen', 'Carbon dioxide', 'Argon', 'Helium'], 'B'],
  ['Which unit measures force?', ['Joule', 'Watt', 'Newton', 'Pascal'], 'C'],
] as const

export const choiceQuestions = choices.map(([prompt, options, answer], i) => ({
  ...{ number: String(i + 1), prompt, points: 5, lines: 1 },
  ...{ choices: [...options], answer },
}))

export const sheetExam: DrawnAssignment = {
  title: 'Science, autumn test',
  course: 'Science',
  instructions: 'Answer all questions.',
  questions: [
    ...choiceQuestions,
    { number: '5', prompt: 'How much is 12 times 12?', points: 5, lines: 1, answer: '144' },
    { number: '6', prompt: 'True or false: ice floats on water.', points: 5, lines: 1, answer: 'True' },
  ],
}

export async function buildSheetClass(api: Api) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const students = []
  for (const [i, full_name] of ['Ada Lovelace', 'Zoë Adler'].entries())
    students.push(await buildStudent(courseId, { full_name, student_number: ['31415', '27182'][i] ?? '' }))
  const teacher = api.as(instructor)
  const made = await teacher.send(createAssignment, {
    body: { name: sheetExam.title, course_id: courseId },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(sheetExam) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(sheetExam) }],
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

/** Letters of the first questions, with `-` for none, and digits of the student's number. */
export const marks = (letters: string, number = '') =>
  new Map<string, number | null>([
    ...[...letters].map((letter, i) => [`q${i + 1}`, letter === '-' ? null : letter.charCodeAt(0) - 65] as const),
    ...[...number].map((digit, place) => [String(place), Number(digit)] as const),
  ])
