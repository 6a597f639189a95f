import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { phone } from '../support/browser.ts'
import { openLink, type School, useSchool } from '../support/lms-workflow.ts'
import { looksRight, takeScreenshot } from '../support/product.ts'

const heading = (where: Page | Frame, name: string) => where.getByRole('heading', { level: 1, name })

function aQuiz({ lms, deployment }: School) {
  const { course, teacher } = lms.classOf(1)
  return { teacher, link: lms.addLink(course, { deployment, title: 'Cells quiz', scoreMaximum: 20 }) }
}

async function expectReadable(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await looksRight(page, name)
  await page.setViewportSize(phone)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await takeScreenshot(page, `${name}-390`)
}

describe('the new window', () => {
  const school = useSchool({ kind: 'moodle' })

  it('is offered without scripts', async () => {
    const { context, page } = await school.open('none')
    const { teacher, link } = aQuiz(school)
    const devtools = await context.newCDPSession(page)
    // From our page on, as the LMS's need theirs.
    await context.route('**/lti/login', async (route) => {
      await devtools.send('Emulation.setScriptExecutionDisabled', { value: true })
      await route.continue()
    })
    const frame = await openLink(school, page, teacher, link)
    await heading(frame, 'Open Assay in a new window').waitFor()
    const opening = page.waitForEvent('popup')
    await frame.getByRole('link', { name: 'Open in a new window' }).click()
    await heading(await opening, 'Set up “Cells quiz”').waitFor()
  })
})

describe('a refusal', () => {
  const school = useSchool({ kind: 'moodle' })

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
