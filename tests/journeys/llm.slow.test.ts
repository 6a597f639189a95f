import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  correctAnswers,
  drawHandwrittenQuizPaper,
  handwrittenQuizLines,
  quizFiles,
  weakAnswers,
} from '../../server/src/testing/build-course.ts'
import { type FakeLlm, startFakeLlm } from '../fake-llm/fake-llm.ts'
import { passConnectionTest } from '../fake-llm/pass-connection-test.ts'
import { phone } from './support/browser.ts'
import {
  accessibilityProblems,
  firstAdmin,
  looksRight,
  registerPerson,
  takeScreenshot,
  useOwnProduct,
} from './support/product.ts'

const KEY = 'sk-journey-4711'
const ada = { full_name: 'Ada Lovelace' }
const ben = { full_name: 'Ben Stone' }
let model: FakeLlm
beforeAll(async () => {
  model = await startFakeLlm({ latencyMs: 50, key: KEY, model: 'some-model' })
  await passConnectionTest(model)
})
afterAll(() => model?.stop())
const product = useOwnProduct()

async function setUpModel(admin: Page): Promise<void> {
  await admin.goto('/admin/settings/model')
  await admin.getByLabel('Provider').selectOption('openai')
  await admin.getByLabel('Model', { exact: true }).fill('some-model')
  await admin.getByLabel('Another address (optional)').fill(model.baseUrlOf('openai'))
  await admin.getByLabel('Key', { exact: true }).fill(KEY)
  await admin.getByLabel('Price per million input tokens').fill('2')
  await admin.getByLabel('Price per million output tokens').fill('8')
  await admin.getByLabel('Monthly budget').fill('50')
  await admin.getByLabel('Send images of scanned and handwritten papers').check()
  await admin.getByRole('button', { name: 'Test connection' }).click()
  await admin.getByText('all checks passed').waitFor()
  await takeScreenshot(admin, 'model-tested')
  await admin.getByRole('button', { name: 'Save Changes' }).click()
  await admin.getByText('Saved. Changes take effect immediately.').waitFor()
  expect(await accessibilityProblems(admin)).toEqual([])
  await admin.reload()
  await admin.getByText('A key ending in 4711 is stored').waitFor()
}

/** The LLM misreads Ada's last answer. */
async function createAssignment(page: Page): Promise<void> {
  const { blank, key } = await quizFiles()
  const byHand = {
    ada: await drawHandwrittenQuizPaper(ada, correctAnswers),
    ben: await drawHandwrittenQuizPaper(ben, weakAnswers),
  }
  await model.pages.learnPaper(byHand.ada, [handwrittenQuizLines(ada, correctAnswers.with(2, '149')).join('\n')])
  await model.pages.learnPaper(byHand.ben, [handwrittenQuizLines(ben, weakAnswers).join('\n')])
  await page.goto('/create-assignment')
  await page.getByLabel('Assignment name').fill('Water and heat')
  const choose = async (label: string, ...files: [string, Buffer | string][]) =>
    page
      .getByLabel(label)
      .setInputFiles(await Promise.all(files.map(([name, bytes]) => product.file(name, Buffer.from(bytes)))))
  await choose('Choose the blank assignment', ['blank.pdf', blank.bytes])
  await choose('Choose the answer key', ['key.pdf', key.bytes])
  await choose('Choose student papers', ['ada.pdf', byHand.ada], ['ben.pdf', byHand.ben])
  await page.getByText('More', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'The student papers are handwritten' }).check()
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await page.waitForURL(/assignments\/\d+\/rubric/)
  await page.getByRole('button', { name: 'Confirm Rubric' }).click()
  await page.waitForURL(/assignments\/\d+\/submissions/)
  await page.getByText('Submissions (2)').waitFor()
}

async function processAndGrade(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Process & Grade' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('openai/some-model').waitFor()
  await dialog.getByText(/about \$0\.\d+|under \$0\.001/).waitFor()
  await dialog
    .getByText('$50', { exact: false })
    .or(dialog.getByText('$49.', { exact: false }))
    .first()
    .waitFor()
  await looksRight(page, 'model-estimate')
  await dialog.getByRole('button', { name: 'Grade 2 papers' }).click()
  const done = page.getByRole('row').filter({ hasText: /Suggested|Flagged/ })
  await expect.poll(() => done.count()).toBe(2)
}

async function pointsIn(card: Locator): Promise<string> {
  return (
    (await card
      .getByText(/^[\d.]+\s*\/\s*[\d.]+$/)
      .first()
      .textContent()) ?? ''
  )
}

async function correct(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Review submission' }).first().click()
  await page.getByRole('heading', { name: /ada/i }).first().waitFor()
  await page.locator('canvas').filter({ visible: true }).first().waitFor()
  await page.keyboard.press('t')
  const card = page.getByTestId('answer 3')
  await card.getByText('149').first().waitFor()
  expect(await pointsIn(card)).toMatch(/^0\s*\/\s*5/)
  await looksRight(page, 'model-transcription')
  await card.getByRole('button', { name: 'Correct answer 3' }).click()
  await page.getByLabel('Text on the page for question 3').fill('144')
  await page.getByRole('button', { name: 'Save and regrade' }).click()
  await expect.poll(() => pointsIn(card)).toMatch(/^5\s*\/\s*5/)
  await takeScreenshot(page, 'model-corrected')
}

async function readHistory(page: Page): Promise<void> {
  await page.keyboard.press('t')
  await page.getByRole('button', { name: 'Grade history' }).click()
  const dialog = page.getByRole('dialog', { name: 'Grade history' })
  await dialog
    .getByText(/Requested a page transcription: answered/)
    .first()
    .waitFor()
  await dialog
    .getByText(/Requested points: answered/)
    .first()
    .click()
  await dialog
    .getByText(/"criterion_id"/)
    .first()
    .waitFor()
  expect(await dialog.getByText(/openai\/some-model suggested/).count()).toBe(2)
  await dialog.getByText('Grace Hopper corrected the transcription of question 3').waitFor()
  await looksRight(page, 'model-history')
  await page.setViewportSize(phone)
  await looksRight(page, 'model-history-phone')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Escape')
}

it('grades a handwritten class with an LLM, with corrections and cost records', async () => {
  const { page: admin } = await product.openAs(await firstAdmin(product))
  await setUpModel(admin)
  const { page } = await product.openAs(await registerPerson(product.api, 'instructor', 'grace', 'Grace Hopper'))
  await createAssignment(page)
  await processAndGrade(page)
  await takeScreenshot(page, 'model-graded')
  await correct(page)
  await readHistory(page)
  // No names left the server, and the API key was only in its header.
  for (const { asked } of model.requests) expect(asked.texts.join('\n')).not.toMatch(/Lovelace|Ben Stone/)
  await admin.goto('/admin/settings/model')
  await admin.getByText('Usage').first().waitFor()
  await takeScreenshot(admin, 'model-usage')
  expect(product.browserErrors).toEqual([])
})
