import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerState } from '../../../server/src/grader/extraction/answer-state.ts'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { createOfflineGrader } from '../../../server/src/grader/offline/offline-grader.ts'
import { usePaperReader } from '../../../server/src/testing/cached-paper-reader.ts'
import type { ExamPages } from '../layouts/exam-layout.ts'
import { cellQuiz, drawPages, readExam, typeLines, weatherExam } from './student-exam.ts'

const { reader, papers } = usePaperReader()
let blank: Paper
let rubric: Rubric
const readBytes = async (bytes: Buffer) => reader.read(await papers.put(bytes))
const read = async (draw: (pages: ExamPages) => void): Promise<Paper> => readBytes(await drawPages(draw))

beforeAll(async () => {
  ;({ blank, rubric } = await readExam(cellQuiz, readBytes))
})

const fillIn = (pages: ExamPages) => pages.text('B', 400, 100)

function drawChanged(pages: ExamPages, change: (text: string) => string): void {
  const text = pages.text.bind(pages)
  pages.text = (words, ...rest) => text(change(words), ...rest)
  cellQuiz.drawBlank(pages)
  pages.text = text
}

describe('a paper that is none of this assignment', () => {
  it('has no answers and no score where it prints other questions', async () => {
    const paper = await read((pages) => {
      weatherExam.drawBlank(pages)
      pages.text('nitrogen', 400, 150)
      pages.text('16 hPa', 400, 254)
    })
    const extracted = extractAnswers(rubric, blank, paper)
    const grader = createOfflineGrader()
    const grade = await grader.grade(rubric, 1, { key: 'other', submissions: [{ id: 1, extracted }] })
    await grader.close()
    expect(grade.overall_score).toBeNull()
    expect(grade.criteria.map(({ score }) => score)).toEqual(rubric.questions.map(() => null))
    expect(grade.reasons).toEqual([
      {
        code: 'other_assignment',
        message: 'This looks like a different assignment: it prints other questions. Nothing on it was graded.',
      },
    ])
  })

  it('has no answers where its questions have other numbers', async () => {
    const paper = await read((pages) => {
      drawChanged(pages, (text) =>
        text
          .replace('40 mm', '60 mm')
          .replace('of 800', 'of 1200')
          .replace('after 5', 'after 6')
          .replace('green', 'red'),
      )
      fillIn(pages)
    })
    const { answers, warnings } = extractAnswers(rubric, blank, paper)
    expect(warnings.map(({ message }) => message)).toEqual([
      'This looks like another version of this assignment: some questions differ from the blank’s. Nothing on it was graded.',
    ])
    expect(answers.some(({ found }) => found)).toBe(false)
  })

  it('has no answers where it is a key', async () => {
    const paper = await read((pages) => {
      pages.page()
      pages.bold('Cells quiz – answer key', 56, 60)
      typeLines(pages, ['1. B', '2. C', '3. A', '4. D', '5. False'], 100)
    })
    expect(extractAnswers(rubric, blank, paper).warnings.map(({ message }) => message)).toEqual([
      'This looks like an answer key. Nothing on it was graded.',
    ])
  })

  it('counts with the pages of this one alone', async () => {
    const paper = await read((pages) => {
      cellQuiz.drawBlank(pages)
      pages.text('chlorophyll', 400, 436)
      weatherExam.drawBlank(pages)
      pages.text('nitrogen', 400, 150)
    })
    const { answers, warnings } = extractAnswers(rubric, blank, paper)
    expect(warnings.map(({ message }) => message)).toEqual([
      'Page 2 looks like a page of a different assignment. It was not graded.',
    ])
    expect(answers.map(({ text }) => text)).toEqual(['', '', '', '', '', '', '', '', 'chlorophyll', ''])
  })

  it('is not the empty blank, which has nothing written on it', async () => {
    const { answers, warnings } = extractAnswers(rubric, blank, await read((pages) => cellQuiz.drawBlank(pages)))
    expect(answers.map(answerState)).toEqual(rubric.questions.map(() => 'empty'))
    expect(warnings.map(({ code }) => code)).toEqual(['nothing_written'])
  })

  it('is not one with words filled into its lines', async () => {
    const paper = await read((pages) =>
      drawChanged(pages, (text) =>
        text.replace(/\?( \(\d)/, '? yes 12 $1').replace('Name: ____', 'Name: Kim Version B ____'),
      ),
    )
    expect(extractAnswers(rubric, blank, paper).warnings).toEqual([])
  })
})
