import { readFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { NEWEST_LAYOUT } from '../../../server/src/papers/codes/page-code.ts'
import { codeBox, sheetSize } from '../../../server/src/papers/codes/sheet-layout.ts'
import { longQuiz } from '../../bench/long-quiz.ts'
import { copySheets } from '../../papers/copier.ts'
import { layOutPaper } from '../../papers/paper-layout.ts'
import { buildClassWithPapers } from './class-with-papers.ts'
import { accessibilityProblems, type Product, takeScreenshot } from './product.ts'

const quiz = { ...longQuiz, title: 'Six questions of science', questions: longQuiz.questions.slice(0, 6) }
const names = ['Abena Osei', 'Elena Garcia', 'Jakub Kowalski']
export const buildScannedClass = (product: Product) => buildClassWithPapers(product, names, quiz)

export async function printOnScreen(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Print for the class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print for the class' })
  await dialog.getByLabel('Spare copies').fill('0')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  return readFile(await (await saved).path())
}

/** Answered as the key has it; one page is upside down, and the codes of one are torn off. */
export async function scanCopies(printed: Buffer): Promise<Buffer> {
  const document = await PDFDocument.load(printed)
  const font = await document.embedFont(StandardFonts.TimesRomanItalic)
  const { sheets, spaces } = layOutPaper(quiz, {})
  for (const [i, page] of document.getPages().entries())
    for (const [n, { sheet, baselines, x }] of spaces.entries()) {
      if (sheets.indexOf(sheet) !== i % 2) continue
      const words = quiz.questions[n]?.answer.split(' ') ?? []
      // Two sheets with the same writing are asked about as one.
      const from = Math.floor(i / 2)
      page.drawText(words.slice(from, from + 8).join(' '), {
        x,
        y: page.getHeight() - (baselines[0] ?? 0),
        size: 13,
        font,
      })
    }
  const size = sheetSize({ name: 'a4', landscape: false })
  const torn = (['top', 'bottom'] as const).map((place) => {
    const { x, y, width, height } = codeBox(place, size, NEWEST_LAYOUT)
    return { x: x + width / 2, y: y + height / 2, radius: 26, kind: 'torn' as const }
  })
  const order = [3, 1, 5, 4, 2, 6]
  return copySheets(
    Buffer.from(await document.save()),
    order.map((page) => ({ page, turned: page === 5 ? 181 : 1, dpi: 150, stains: page === 4 ? torn : [] })),
    9,
  )
}

export async function uploadOnScreen(product: Product, page: Page, params: { assignmentId: number }, scan: Buffer) {
  await page.goto(`/assignments/${params.assignmentId}/class-scans`)
  await page.locator('input[type=file]').setInputFiles(await product.file('copier.pdf', scan))
  await page.getByRole('button', { name: 'Upload and split' }).click()
  await page.getByRole('button', { name: 'Confirm papers' }).waitFor({ timeout: 180_000 })
}

export const pageOf = (page: Page, number: number) =>
  page.getByRole('button', { name: `Show Page ${number} of the scan large` })

export async function splitAgain(page: Page, screenshot: string): Promise<void> {
  await page.getByRole('button', { name: 'Split again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Split the scan again' })
  await dialog.getByRole('radio', { name: 'A separator sheet lies before each paper' }).click()
  await dialog.getByRole('button', { name: 'Split again' }).click()
  await dialog.getByText(/^No separator sheet was found/).waitFor()
  await dialog.getByRole('radio', { name: 'One pile per student, same number of pages' }).click()
  await dialog.getByLabel('Pages in a paper').fill('2')
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, `${screenshot}-dialog`)
  await dialog.getByRole('button', { name: 'Split again' }).click()
  await page.getByText(/^Reading the names/).waitFor()
  await page.getByText(/split every 2 pages/).waitFor({ timeout: 180_000 })
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, screenshot)
}
