import { expect, it } from 'vitest'
import { accessibilityProblems } from './support/accessibility.ts'
import { phone } from './support/browser.ts'
import { looksRight } from './support/looks-right.ts'
import { takeScreenshot } from './support/product.ts'
import {
  buildScannedClass,
  pageOf,
  printOnScreen,
  scanCopies,
  splitAgain,
  uploadOnScreen,
} from './support/scanned-class.ts'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

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
