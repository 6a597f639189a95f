import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerState } from '../../../server/src/grader/extraction/answer-state.ts'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../../server/src/grader/rubric/generate-rubric.ts'
import { createPaperReader } from '../../../server/src/papers/paper-reader.ts'
import { createPaperFolder } from '../temporary-papers.ts'
import { cellSheets } from './cell-sheets.ts'
import { drawPages, type StudentExam, studentExams, typeLines } from './student-exam.ts'
import { weatherLabels } from './weather-labels.ts'
import { weatherSheets } from './weather-sheets.ts'

const reader = createPaperReader({ processes: 1 })
let folder: Awaited<ReturnType<typeof createPaperFolder>>
const exams = new Map<StudentExam, { rubric: Rubric; blank: Paper }>()

const read = async (bytes: Buffer): Promise<Paper> => reader.read(await folder.put(bytes))

beforeAll(async () => {
  folder = await createPaperFolder()
  for (const exam of studentExams) {
    const blank = await read(await drawPages((pages) => exam.drawBlank(pages)))
    const key = await read(await drawPages((pages) => exam.drawKey(pages)))
    exams.set(exam, { blank, rubric: generateRubric(blank, key) })
  }
})
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

describe('answers on a student’s own sheets', () => {
  it.each(studentExams.map((exam) => [exam.name, exam] as const))('have the questions of the exam on %s', (_, exam) => {
    expect(exams.get(exam)?.rubric.questions.map(({ number }) => number)).toEqual(exam.numbers)
  })

  it.each([...weatherLabels, ...weatherSheets, ...cellSheets].map((sheet) => [sheet.name, sheet] as const))(
    'are found by %s',
    async (_, sheet) => {
      const exam = exams.get(sheet.exam)
      if (!exam) throw new Error(`There is no exam ${sheet.exam.name}.`)
      const paper = await read(
        await drawPages((pages) => {
          for (const lines of sheet.pages) {
            pages.page()
            typeLines(pages, lines, 70, sheet.columns)
          }
        }),
      )
      const { answers, warnings } = extractAnswers(exam.rubric, exam.blank, paper)
      expect(answers.map((answer) => (answerState(answer) === 'not_found' ? null : answer.text))).toEqual(sheet.answers)
      expect(warnings).toEqual([])
    },
  )
})
