import { getClassScan, listClassScans } from '@assay/shared/class-scans.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { phone } from './support/browser.ts'
import { accessibilityProblems, looksRight, takeScreenshot, useProduct } from './support/product.ts'
import {
  buildScannedClass,
  pageOf,
  printOnScreen,
  scanCopies,
  splitAgain,
  uploadOnScreen,
} from './support/scanned-class.ts'

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
