import { expect, it } from 'vitest'
import { longQuiz } from '../../../../tests/bench/long-quiz.ts'
import { copySheets } from '../../../../tests/papers/copier.ts'
import { drawBlank } from '../../../../tests/papers/draw-papers.ts'
import { drawLayoutBlank } from '../../../../tests/papers/layouts/exam-layout.ts'
import { longExam } from '../../../../tests/papers/long-exam.ts'
import { defaultPaperLimits } from '../paper-limits.ts'
import { withPdfium } from '../pdf/pdfium-document.ts'
import { matchPage, prepareBlank } from './match-page.ts'
import { type LevelPage, levelPage, PRINT_SCALE, toPrint } from './page-print.ts'

const levelPages = (pdf: Buffer): Promise<LevelPage[]> =>
  withPdfium(pdf, async (document) => {
    const pages: LevelPage[] = []
    for (let number = 1; number <= document.pages; number += 1)
      pages.push(await levelPage(await document.render(number, { scale: PRINT_SCALE }, defaultPaperLimits, 'Gray')))
    return pages
  })

it('tells pages apart that are alike but for some words, either way up', async () => {
  const withCover = await drawLayoutBlank(longExam)
  const ofFewWords = await drawBlank({ ...longQuiz, questions: longQuiz.questions.slice(0, 16) })
  for (const exam of [withCover, ofFewWords]) {
    const pages = (await levelPages(exam)).slice(0, 4)
    const blank = prepareBlank(await Promise.all(pages.map((page) => toPrint(page, 0))))
    const sheets = [
      { page: 3, turned: 182, dpi: 100 },
      { page: 2, turned: -1, dpi: 100 },
      { page: 1, turned: 3, dpi: 100 },
      { page: 4, turned: 179, dpi: 100 },
    ]
    const matches = []
    for (const page of await levelPages(await copySheets(exam, sheets, 6))) matches.push(await matchPage(page, blank))
    expect(matches.map(({ page, sure, turns }) => ({ page, sure, turns }))).toEqual(
      sheets.map(({ page, turned }) => ({ page, sure: true, turns: turned > 90 ? 2 : 0 })),
    )
  }
})
