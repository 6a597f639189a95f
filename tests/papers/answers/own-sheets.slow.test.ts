import { describe, expect, it } from 'vitest'
import { answerState } from '../../../server/src/grader/extraction/answer-state.ts'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { usePaperReader } from '../../../server/src/testing/cached-paper-reader.ts'
import sheets from './own-sheets.json' with { type: 'json' }
import { cellQuiz, drawPages, readExam, rockQuiz, type StudentExam, typeLines, weatherExam } from './student-exam.ts'

/** `answers` are in the exam's order; '' where nothing is written, null where the question is not on the paper. */
interface OwnSheet {
  name: string
  lines: string[]
  columns?: number[]
  answers: (string | null)[]
}
const { weather, cell }: { weather: OwnSheet[]; cell: OwnSheet[] } = sheets
const nextPage = '---'
const { reader, papers } = usePaperReader()
const read = async (bytes: Buffer) => reader.read(await papers.put(bytes))
const exams = new Map<StudentExam, ReturnType<typeof readExam>>()
const readOnce = (exam: StudentExam) => exams.get(exam) ?? exams.set(exam, readExam(exam, read)).get(exam)

describe('answers on a student’s own sheets', () => {
  it.each([weatherExam, cellQuiz, rockQuiz])('have the questions of the exam on $name', async (exam) => {
    expect((await readOnce(exam))?.rubric.questions.map(({ number }) => number)).toEqual(exam.numbers)
  })

  it.each([
    ...weather.map((sheet) => ({ ...sheet, exam: weatherExam })),
    ...cell.map((sheet) => ({ ...sheet, exam: cellQuiz })),
  ])('are found by $name', async ({ exam, lines, columns, answers: written }) => {
    const known = await readOnce(exam)
    if (!known) throw new Error(`There is no exam ${exam.name}.`)
    const paper = await read(
      await drawPages((pages) => {
        for (const page of lines.join('\n').split(`\n${nextPage}\n`)) {
          pages.page()
          typeLines(pages, page.split('\n'), 70, columns)
        }
      }),
    )
    const { answers, warnings } = extractAnswers(known.rubric, known.blank, paper)
    expect(answers.map((answer) => (answerState(answer) === 'not_found' ? null : answer.text))).toEqual(written)
    expect(warnings).toEqual([])
  })
})
