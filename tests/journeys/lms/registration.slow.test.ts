import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../../fake-lms/fake-lms.ts'
import { phone } from '../support/browser.ts'
import { openLink, openLmsContext } from '../support/lms-workflow.ts'
import { firstAdmin, looksRight, takeScreenshot, useProduct } from '../support/product.ts'
import { journey } from '../support/shared.ts'

const product = useProduct()
let admin: Page
let browser: Browser
journey.beforeAll(async ({ shared }) => {
  browser = await shared.browser()
  admin = (await product.openAs(await firstAdmin(product))).page
  await admin.goto('/admin/dashboard')
})

const names = { moodle: 'Moodle', canvas: 'Canvas' }

for (const kind of ['moodle', 'canvas'] as const) {
  describe(`two administrators, of Assay and of ${kind}`, () => {
    let lms: FakeLms
    beforeAll(async () => {
      lms = await startFakeLms({ kind })
    })
    afterAll(() => lms?.close())

    it('register with a link without typing an address, approve, launch, and pass the connection test', async () => {
      const main = admin.getByRole('navigation', { name: 'Main' })
      await main.getByRole('link', { name: 'LMS', exact: true }).click()
      await admin.getByRole('link', { name: 'Register an LMS' }).first().click()
      await admin.getByRole('radio', { name: names[kind] }).check()
      await admin.getByRole('button', { name: 'Create a registration link' }).click()
      const link = admin.getByRole('list', { name: 'The registration link' }).locator('code')
      const url = (await link.textContent()) ?? ''
      await looksRight(admin, `lms-${kind}-link`)

      const browserErrors: string[] = []
      const context = await openLmsContext(browser, browserErrors)
      try {
        const page = await context.newPage()
        await page.goto(lms.signedInUrl(lms.addAdmin(), '/admin'))
        await page.getByLabel('Registration link').fill(url)
        await page.getByRole('button', { name: 'Register' }).click()
        await page.getByRole('status').getByText('Registered.').waitFor()
        await page.getByRole('heading', { name: 'Assay' }).waitFor()
        await takeScreenshot(page, `lms-${kind}-registered`)

        const [tool] = lms.tools.values()
        if (!tool) throw new Error('the LMS has no tool')
        const { course, teacher } = lms.classOf(1)
        const quiz = lms.addLink(course, { deployment: lms.deploymentOf(tool), title: 'Cells quiz' })
        const early = await openLink({ lms }, page, teacher, quiz)
        await early.getByRole('heading', { name: 'Assay could not be opened' }).waitFor()
        await takeScreenshot(page, `lms-${kind}-not-approved`)

        await admin.getByRole('link', { name: 'Review and approve' }).click()
        await admin.getByText('This LMS is waiting for your approval').waitFor()
        await admin.getByText('Login refused: This LMS is waiting for approval in Assay.').waitFor()
        await looksRight(admin, `lms-${kind}-waiting`)
        await admin.getByRole('button', { name: 'Approve' }).click()
        await admin.getByText('This LMS is waiting for your approval').waitFor({ state: 'detached' })

        const frame = await openLink({ lms }, page, teacher, quiz)
        await frame.getByRole('heading', { name: 'Set up “Cells quiz”' }).waitFor()
        expect(browserErrors).toEqual([])
      } finally {
        await context.close()
      }

      await admin.getByRole('button', { name: 'Run the self-test' }).click()
      await admin.getByText('No checks failed; one needs attention.').waitFor()
      const checks = admin.getByRole('list', { name: 'Checks' })
      await checks.getByText('Assay may send grades.').waitFor()
      await checks.getByText('The last launch was accepted.').waitFor()
      await looksRight(admin, `lms-${kind}-self-test`)
      await admin.setViewportSize(phone)
      expect(await admin.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      await takeScreenshot(admin, `lms-${kind}-self-test-phone`)
      await admin.setViewportSize({ width: 1280, height: 800 })
      expect(product.browserErrors).toEqual([])
    })
  })
}
