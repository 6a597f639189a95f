import { listAssignments } from '@assay/shared/assignments.ts'
import { getDemo } from '@assay/shared/auth.ts'
import { expect, it } from 'vitest'
import { correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import { phone } from './support/browser.ts'
import { looksRight, takeScreenshot, useOwnProduct } from './support/product.ts'

const product = useOwnProduct({ DEMO: 'on' })

async function signIn() {
  // People may still be being created; the sign-in page asks for them once.
  await expect.poll(async () => (await product.api.nobody.send(getDemo)).body.accounts.length).toBe(2)
  const opened = await product.open()
  await opened.page.goto('/auth/login')
  await opened.page.getByRole('button', { name: 'Try the demo as instructor' }).click()
  await opened.page.waitForURL('**/dashboard')
  await opened.page.getByRole('heading', { name: 'Your Assignments' }).waitFor()
  return opened
}

it('keeps the app bar when a page could not be loaded, and shows the page on retry', async () => {
  const { page } = await signIn()
  await page.route(/CoursesPage-.*\.js$/, (route) => route.abort())
  await page.getByRole('link', { name: 'Courses', exact: true }).click()
  await page.getByText('This page could not be loaded').waitFor()
  await takeScreenshot(page, 'page-not-loaded')
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1)
  await page.unroute(/CoursesPage-.*\.js$/)
  await page.evaluate('window.notReloaded = true')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'My Courses' }).waitFor()
  expect(await page.evaluate('window.notReloaded')).toBe(true)
})

it('keeps a very long file name in its column, and the status column wide', async () => {
  const { page } = await signIn()
  // Assignments are still being created when the page is shown.
  const instructor = product.api.withToken(await page.evaluate("localStorage.getItem('assay.token')"))
  const assignments = async () => (await instructor.send(listAssignments)).body
  await expect.poll(async () => (await assignments()).length).toBeGreaterThan(0)
  await page.reload()
  await page
    .getByRole('link', { name: /^View Submissions/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'More for this assignment' }).click()
  await page.getByRole('menuitem', { name: 'Upload Files' }).click()
  const name = 'long-name-'.repeat(20)
  const paper = await product.file(`${name}.pdf`, await drawPaper({ full_name: 'X' }, correctAnswers))
  await page.getByLabel('Choose student papers').setInputFiles([paper])
  await page.getByRole('button', { name: 'Upload 1 file' }).click()
  const long = page.getByTitle(name)
  await long.scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'long-name')
  expect((await long.boundingBox())?.height).toBeLessThan(30)
  const status = await page.getByRole('columnheader', { name: 'Grade Status' }).boundingBox()
  expect(status?.width).toBeGreaterThan(150)
  await page.setViewportSize(phone)
  await long.scrollIntoViewIfNeeded()
  await looksRight(page, 'phone-long-name')
})
