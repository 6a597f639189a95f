import { readFile } from 'node:fs/promises'
import { getClassScan, listClassScans } from '@assay/shared/class-scans.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NEWEST_LAYOUT } from '../../server/src/papers/codes/page-code.ts'
import { codeBox, sheetSize } from '../../server/src/papers/codes/sheet-layout.ts'
import { longQuiz } from '../bench/long-quiz.ts'
import { copySheets } from '../papers/copier.ts'
import { layOutPaper } from '../papers/paper-layout.ts'
import { phone } from './support/browser.ts'
import { buildClassWithPapers } from './support/class-with-papers.ts'
import { accessibilityProblems, looksRight, type Product, takeScreenshot, useProduct } from './support/product.ts'

const quiz = { ...longQuiz, title: 'Six questions of science', questions: longQuiz.questions.slice(0, 6) }
const names = ['Abena Osei', 'Elena Garcia', 'Jakub Kowalski']
const buildScannedClass = (product: Product) => buildClassWithPapers(product, names, quiz)

async function printOnScreen(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Print for the class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print for the class' })
  await dialog.getByLabel('Spare copies').fill('0')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  return readFile(await (await saved).path())
}

/** Answered as the key has it; one page is upside down, and the codes of one are torn off. */
async function scanCopies(printed: Buffer): Promise<Buffer> {
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

async function uploadOnScreen(product: Product, page: Page, params: { assignmentId: number }, scan: Buffer) {
  await page.goto(`/assignments/${params.assignmentId}/class-scans`)
  await page.locator('input[type=file]').setInputFiles(await product.file('copier.pdf', scan))
  await page.getByRole('button', { name: 'Upload and split' }).click()
  await page.getByRole('button', { name: 'Confirm papers' }).waitFor({ timeout: 180_000 })
}

const pageOf = (page: Page, number: number) =>
  page.getByRole('button', { name: `Show Page ${number} of the scan large` })

async function splitAgain(page: Page, screenshot: string): Promise<void> {
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

const product = useProduct()

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded()
  await to.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('both pages are on the screen')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  // In steps, as a hand does: a drag begins after a few pixels.
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 })
  await page.locator('li[data-target]').waitFor()
  await page.mouse.up()
}

it('Class scan: prints for a class, splits the scan of its copies, is corrected by dragging, and is graded', async () => {
  const { teacher, students, params } = await buildScannedClass(product)
  const { page } = await product.openAs(teacher)
  await page.goto(`/assignments/${params.assignmentId}/submissions`)
  const scan = await scanCopies(await printOnScreen(page))
  await uploadOnScreen(product, page, params, scan)
  const [row] = (await product.api.as(teacher).send(listClassScans, { params })).body
  const papers = async () => {
    const { body } = await product.api.as(teacher).send(getClassScan, { params: { ...params, scanId: row?.id ?? 0 } })
    return body.papers.map(({ pages }) => pages.map((one) => one.page))
  }
  // Elena's second page has no code: it is offered to her.
  const proposed = await papers()
  expect(proposed.toSorted()).toEqual([[1], [2, 5], [3, 6], [4]])
  await page.getByText(/^No code was read on this page/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'class-scan-papers')

  await pageOf(page, 4).click()
  const large = page.getByRole('dialog', { name: /^Page 4 of the scan/ })
  await large.getByRole('img', { name: 'Page 4 of the scan' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, 'class-scan-large')
  await large.getByRole('button', { name: 'Close' }).click()
  await large.waitFor({ state: 'detached' })

  await splitAgain(page, 'class-scan-split-again')
  expect(await papers()).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await papers()).toEqual(proposed)

  await drag(page, pageOf(page, 4), pageOf(page, 1))
  await page.getByText(/^Page 4 moved to paper/).waitFor()
  expect((await papers()).toSorted()).toEqual([
    [2, 5],
    [3, 6],
    [4, 1],
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await papers()).toEqual(proposed)

  await page.getByRole('button', { name: /^Put into paper \d: Elena Garcia$/ }).click()
  await page.getByText('None is in doubt.').waitFor()
  await takeScreenshot(page, 'class-scan-mended')
  await page.getByRole('button', { name: 'Confirm papers' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByRole('button', { name: 'Confirm papers' }).click()
  await page.getByText('3 papers were added to the submissions.').waitFor({ timeout: 180_000 })
  await page.getByRole('link', { name: 'Open the submissions' }).click()
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  const graded = async () => {
    const { body } = await product.api.as(teacher).send(listSubmissions, { params })
    return body.map(({ student, status }) => `${student?.id} ${status}`).toSorted()
  }
  await expect.poll(graded).toEqual(students.map(({ id }) => `${id} graded`).toSorted())
  expect(product.browserErrors).toEqual([])
}, 300_000)

it('Class scan: is looked over on a phone', async () => {
  const { teacher, params } = await buildScannedClass(product)
  const { page } = await product.openAs(teacher, { viewport: phone, hasTouch: true, isMobile: true })
  await page.goto(`/assignments/${params.assignmentId}/submissions`)
  const scan = await scanCopies(await printOnScreen(page))
  await uploadOnScreen(product, page, params, scan)
  await page.getByText(/^No code was read on this page/).scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'class-scan-phone')
  await splitAgain(page, 'class-scan-phone-split-again')
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByText('Undone.').waitFor()
  await pageOf(page, 4).tap()
  const large = page.getByRole('dialog', { name: /^Page 4 of the scan/ })
  await large.getByRole('img', { name: 'Page 4 of the scan' }).waitFor()
  await looksRight(page, 'class-scan-phone-large')
  await large.getByRole('button', { name: 'Close' }).tap()
  await large.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change Page 4 of the scan' }).tap()
  await page.getByRole('menuitem', { name: /^Paper \d: Elena Garcia$/ }).tap()
  await page.getByText(/^Page 4 moved to paper/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  expect(product.browserErrors).toEqual([])
})
