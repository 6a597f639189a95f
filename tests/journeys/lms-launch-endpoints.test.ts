import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { phone } from './browser.ts'
import { type LmsAndProduct, openLink, startLmsAndProduct } from './lms-and-product.ts'
import { startBehindGateway, takeScreenshot } from './product.ts'

const heading = (where: Page | Frame, name: string) => where.getByRole('heading', { level: 1, name })

function aQuiz({ lms, deployment }: LmsAndProduct) {
  const { course, teacher } = lms.classOf(1)
  return { teacher, link: lms.addLink(course, { deployment, title: 'Cells quiz', scoreMaximum: 20 }) }
}

/** Checks a page of the launch endpoints with axe, and on a phone. */
async function expectReadable(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  expect(await accessibilityProblems(page)).toEqual([])
  await takeScreenshot(page, name)
  await page.setViewportSize(phone)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await takeScreenshot(page, `${name}-390`)
}

describe('the new window', () => {
  let school: LmsAndProduct
  beforeAll(async () => {
    school = await startLmsAndProduct({ kind: 'moodle' })
  })
  afterAll(() => school?.close())

  it('is offered without scripts', async () => {
    const { context, page } = await school.open('none')
    const { teacher, link } = aQuiz(school)
    // Blocks only our scripts, as the LMS's pages need theirs.
    await context.route('**/lti/browser-check.js', (route) => route.abort())
    const frame = await openLink(school, page, teacher, link)
    await heading(frame, 'Open Assay in a new window').waitFor()
    const opening = page.waitForEvent('popup')
    await frame.getByRole('link', { name: 'Open in a new window' }).click()
    await heading(await opening, 'Set up “Cells quiz”').waitFor()
  })

  it('is offered on an accessible page', async () => {
    const { page } = await school.open('none')
    const { teacher, link } = aQuiz(school)
    const frame = await openLink(school, page, teacher, link)
    await heading(frame, 'Open Assay in a new window').waitFor()
    await page.setViewportSize(phone)
    await takeScreenshot(page, 'lms-launch-window-390')
    // In the frame, as the LMS shows it.
    expect(await accessibilityProblems(page)).toEqual([])
    await frame.getByRole('link', { name: 'Open in a new window' }).focus()
    const opening = page.waitForEvent('popup')
    await page.keyboard.press('Enter')
    await opening
    await heading(frame, 'Assay is open in another window').waitFor()
    await takeScreenshot(page, 'lms-launch-opened-390')
  })
})

describe('a refusal', () => {
  let school: LmsAndProduct
  beforeAll(async () => {
    school = await startLmsAndProduct({ kind: 'moodle' })
  })
  afterAll(() => school?.close())

  it('is shown in the LMS’s frame, with advice for the user and the administrator', async () => {
    const { lms, product, browserErrors } = school
    lms.fail('jwks', { status: 503, times: 100 })
    const { teacher, link } = aQuiz(school)
    const { page } = await school.open('partitioned')
    const frame = await openLink(school, page, teacher, link)
    await heading(frame, 'Assay could not be opened').waitFor()
    await frame.getByText('The LMS’s keys could not be fetched.').waitFor()
    await frame.getByText('For the LMS administrator').click()
    await frame.getByText('keys_unreachable').waitFor()
    await takeScreenshot(page, 'lms-launch-refused')
    expect(browserErrors).toEqual([])
    await expectReadable(page, `${product.url}/lti/launch`, 'lms-launch-refusal')
  })
})

describe('behind a gateway', () => {
  let school: LmsAndProduct
  beforeAll(async () => {
    school = await startLmsAndProduct({ kind: 'canvas' }, {}, startBehindGateway)
  })
  afterAll(() => school?.close())

  it('launches into the frame work too', async () => {
    const { teacher, link } = aQuiz(school)
    const { page } = await school.open('partitioned')
    // The gateway refreshes the allowed frame ancestors only every half minute, and the LMS is new.
    await expect
      .poll(async () => (await fetch(`${school.product.url}/l/launch`)).headers.get('content-security-policy'), {
        timeout: 60_000,
        interval: 500,
      })
      .toContain(`frame-ancestors 'self' ${school.lms.url}`)
    const frame = await openLink(school, page, teacher, link)
    await heading(frame, 'Set up “Cells quiz”').waitFor()
    expect(school.browserErrors).toEqual([])
  })
})
