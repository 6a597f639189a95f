import { deactivatePlatform, listPlatforms } from '@assay/shared/lti/lti-platforms.ts'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { type FakeLms, registerWithProduct, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { openLink, openLmsContext } from '../support/lms-workflow.ts'
import { accessibilityProblems, firstAdmin, takeScreenshot, useOwnProduct } from '../support/product.ts'
import { journey } from '../support/shared.ts'

// Refusals are read in the LMS's frame, on another site, while Assay knows of no active LMS.

const product = useOwnProduct()
const browserErrors: string[] = []
let lms: FakeLms
let context: BrowserContext
let page: Page
journey.beforeAll(async ({ shared }) => {
  lms = await startFakeLms({ kind: 'moodle' })
  context = await openLmsContext(await shared.browser(), browserErrors)
})
beforeEach(async () => {
  page = await context.newPage()
})
afterAll(async () => {
  await context?.close()
  await lms?.close()
})

async function showsWhyNot(
  frame: Frame,
  reason: string | RegExp,
  heading = 'Assay could not be opened',
): Promise<void> {
  await frame.getByRole('heading', { level: 1, name: heading }).waitFor()
  await frame.getByText(reason).waitFor()
  expect(await accessibilityProblems(frame)).toEqual([])
  expect(browserErrors).toEqual([])
}

it('says that nobody has registered the LMS', async () => {
  const { course, teacher } = lms.classOf(0)
  const tool = lms.registerTool({
    loginUrl: `${product.url}/lti/login`,
    launchUrl: `${product.url}/lti/launch`,
    jwksUrl: `${product.url}/lti/keys`,
  })
  const link = lms.addLink(course, { deployment: lms.deploymentOf(tool), title: 'Cells quiz' })
  const frame = await openLink({ lms }, page, teacher, link)
  await showsWhyNot(frame, 'This LMS is not registered with Assay.')
  await takeScreenshot(page, 'lms-refused-unknown')
})

it('says why the first registration is refused', async () => {
  await page.goto(lms.signedInUrl(lms.addAdmin(), '/admin'))
  await page.getByLabel('Registration link').fill(`${product.url}/lti/register/used-before`)
  await page.getByRole('button', { name: 'Register' }).click()
  const element = await page.locator('iframe[name=registration]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('the LMS’s page has no frame for the registration')
  const heading = 'This registration link is no longer valid.'
  await showsWhyNot(frame, 'Nothing was registered in Assay.', heading)
  await takeScreenshot(page, 'lms-refused-registration')
})

it('says that the LMS was deactivated: at the next step of an open page, and after a reload', async () => {
  const tool = await registerWithProduct(lms, product)
  const { course, teacher } = lms.classOf(1)
  const link = lms.addLink(course, { deployment: lms.deploymentOf(tool), title: 'Cells quiz' })
  const frame = await openLink({ lms }, page, teacher, link)
  await frame.getByRole('heading', { name: 'Set up “Cells quiz”' }).waitFor()
  const admin = product.api.as(await firstAdmin(product))
  const [platform] = (await admin.send(listPlatforms)).body
  if (!platform) throw new Error('Assay has no LMS')
  await admin.send(deactivatePlatform, { params: { platformId: platform.id } })
  await frame.getByRole('button', { name: 'Continue to the new assignment' }).click()
  await showsWhyNot(frame, /Northfield School has been deactivated in Assay/)
  expect(await frame.getByText(/open (it|this) again/i).count()).toBe(0)
  await takeScreenshot(page, 'lms-deactivated-open')
  await Promise.all([frame.waitForNavigation(), frame.evaluate('location.reload()')])
  await showsWhyNot(frame, 'This LMS has been deactivated in Assay.')
  await takeScreenshot(page, 'lms-deactivated-reload')
})
