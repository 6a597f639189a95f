import { readFile } from 'node:fs/promises'
import { generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { SheetDesign } from '../../server/src/papers/answer-sheet/sheet-design.ts'
import { choiceQuestions, choices, marks } from '../../server/src/testing/answer-sheet-class.ts'
import { scanFilledSheets } from '../papers/answer-sheets/filled-sheets.ts'
import type { DrawnAssignment } from '../papers/drawn-assignment.ts'
import { phone } from './support/browser.ts'
import { buildClassWithPapers } from './support/class-with-papers.ts'
import { looksRight, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

const quiz: DrawnAssignment = {
  title: 'Four choices of science',
  course: 'Science',
  instructions: 'Choose one option for each question.',
  questions: choiceQuestions,
}
const design: SheetDesign = {
  layout: 2,
  format: 'a4',
  questions: choices.map(([, options], i) => ({ id: `q${i + 1}`, number: String(i + 1), options: options.length })),
  digits: 0,
  versions: false,
}
const names = ['Abena Osei', 'Elena Garcia']

async function buildClass() {
  const { api } = product
  const built = await buildClassWithPapers(product, names, quiz)
  const { teacher, params } = built
  await api.as(teacher).send(generateRubric, { params, body: { by: 'rules' } })
  const rubric = async () => (await api.as(teacher).send(getRubric, { params })).body.rubric
  await expect.poll(rubric).not.toBeNull()
  return built
}

async function printSheets(page: Page, name: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Print for the class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print for the class' })
  await dialog.getByRole('radio', { name: 'Answer sheets' }).click()
  await dialog.getByText('Circles for 4 questions').waitFor()
  await dialog.getByLabel('Spare sheets').fill('0')
  await dialog.getByRole('checkbox', { name: 'I print on both sides' }).uncheck()
  await looksRight(page, name)
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  return readFile(await (await saved).path())
}

/** Elena filled two circles of the third question. */
async function fillSheets(printed: Buffer): Promise<Buffer> {
  const way = { design, sheetPage: 1, careful: true, dpi: 150 }
  const filled = await scanFilledSheets(
    printed,
    [
      { ...way, page: 1, turned: 180.4, choices: marks('BCBC') },
      { ...way, page: 2, turned: -0.6, choices: marks('ACBC'), accidents: new Map([['q3', 'double']]) },
    ],
    4,
  )
  return filled.scan
}

it.each([
  ['desktop', undefined],
  ['phone', { viewport: phone, hasTouch: true, isMobile: true }],
] as const)(
  'prints answer sheets, reads their scan and leaves the doubtful mark to the teacher (%s)',
  async (size, context) => {
    const { teacher, students, params } = await buildClass()
    const { page } = await product.openAs(teacher, context)
    await page.goto(`/assignments/${params.assignmentId}/submissions`)
    const scan = await fillSheets(await printSheets(page, `answer-sheets-print-${size}`))
    await page.goto(`/assignments/${params.assignmentId}/class-scans`)
    await page.locator('input[type=file]').setInputFiles(await product.file('copier.pdf', scan))
    await page.getByRole('button', { name: 'Upload and split' }).click()
    await page.getByText('None is in doubt.').waitFor({ timeout: 180_000 })
    await looksRight(page, `answer-sheets-scan-${size}`)
    await page.getByRole('button', { name: 'Confirm papers' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm papers' }).click()
    await page.getByText('2 papers were added to the submissions.').waitFor({ timeout: 180_000 })
    await page.getByRole('link', { name: 'Open the submissions' }).click()
    await page.getByRole('button', { name: 'Process & Grade' }).click()
    const rows = async () => (await product.api.as(teacher).send(listSubmissions, { params })).body
    const graded = async () => (await rows()).filter(({ status }) => status === 'graded').length
    await expect.poll(graded).toBe(2)
    const elena = (await rows()).find(({ student }) => student?.id === students[1]?.id)

    const review = `/assignments/${params.assignmentId}/submissions/${elena?.id}`
    await page.goto(review)
    if (context) await page.getByRole('button', { name: /so far/ }).click()
    await page
      .getByText(/more than one circle is filled/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await looksRight(page, `answer-sheets-review-${size}`)
    await page.getByRole('button', { name: 'Show on page 1' }).click()
    await page.locator('svg [aria-pressed="true"]').first().waitFor()
    await looksRight(page, `answer-sheets-page-${size}`)
    if (!context) {
      await page.keyboard.press('t')
      await page.getByText('Read from the answer sheet; the mark stands out by').first().waitFor()
      await page.getByText('Not read from the answer sheet: more than one circle is filled.').waitFor()
      await looksRight(page, `answer-sheets-transcription-${size}`)
    }
    if (!context) {
      await page.goto(`/assignments/${params.assignmentId}/questions/q3`)
      const drawn = 'Math.max(0, ...[...document.images].map((image) => image.naturalHeight)) > 50'
      await expect.poll(() => page.evaluate(drawn)).toBe(true)
      await takeScreenshot(page, 'answer-sheets-question-desktop')
    }
    expect(product.browserErrors).toEqual([])
  },
  300_000,
)

it.each([
  ['desktop', undefined],
  ['phone', { viewport: phone, hasTouch: true, isMobile: true }],
] as const)(
  'takes the keys of paper versions, and saves them with the rubric (%s)',
  async (size, context) => {
    const { teacher, params } = await buildClass()
    const { page } = await product.openAs(teacher, context)
    await page.goto(`/assignments/${params.assignmentId}/rubric`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Paper versions A–D…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paper versions' })
    await dialog.getByRole('button', { name: 'Add version C' }).click()
    await dialog.getByRole('button', { name: 'Add version D' }).click()
    await dialog.getByLabel('Question 1, version B').focus()
    await page.keyboard.press('c')
    for (const number of [2, 3, 4]) await dialog.getByLabel(`Question ${number}, version B`).selectOption('A')
    await dialog.getByText('8 keys not chosen yet').waitFor()
    await looksRight(page, `paper-versions-${size}`)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save Rubric' }).click()
    await page.getByText('Rubric saved.').waitFor()
    const { rubric } = (await product.api.as(teacher).send(getRubric, { params })).body
    expect(rubric?.questions.map(({ version_keys }) => version_keys)).toEqual([...'CAAA'].map((B) => ({ B })))
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    expect(product.browserErrors).toEqual([])
  },
  300_000,
)
