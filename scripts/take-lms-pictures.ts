/**
 * Run it when a screen has changed: takes the screenshots of docs/lms into docs/pictures/lms, with the built client and
 * the fake LMS instead of Moodle. `node scripts/take-lms-pictures.ts`
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { firstAdminPassword, startFakeLms } from '../tests/fake-lms/fake-lms.ts'
import { contextOptions, openBrowser } from '../tests/journeys/support/browser.ts'
import { startServer } from '../tests/journeys/support/product-server.ts'

const folder = fileURLToPath(new URL('../docs/pictures/lms', import.meta.url))
await mkdir(folder, { recursive: true })
const lms = await startFakeLms({ kind: 'moodle' })
const server = await startServer()
const browser = await openBrowser()

/** With a palette: our screens have few colours, so this is a fifth of the size without a visible difference. */
async function take(page: Page, name: string, until: Locator): Promise<void> {
  await until.waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = await page.screenshot({ animations: 'disabled' })
  await sharp(bytes)
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(join(folder, `${name}.png`))
  console.log(`${name}.png`)
}

try {
  const page = await browser.newPage({ ...contextOptions, viewport: { width: 1100, height: 780 }, baseURL: server.url })
  await page.goto('/auth/login')
  await page.getByLabel('Username or email').fill('admin')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(await firstAdminPassword(server.dataDir))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/admin/dashboard')

  await page.goto('/admin/lms/new?lms=moodle&way=values')
  await take(page, 'values', page.getByRole('list', { name: 'Assay’s values for Moodle' }))

  await page.goto('/admin/lms/new?lms=moodle')
  await page.getByRole('button', { name: 'Make a registration link' }).click()
  const link = page.getByRole('list', { name: 'The registration link' }).locator('code')
  await take(page, 'link', link)

  const address = lms.registrations.link(lms, (await link.textContent()) ?? '')
  const opened = await page.context().newPage()
  await opened.setViewportSize({ width: 700, height: 420 })
  await opened.goto(address)
  await take(opened, 'registered', opened.getByRole('heading'))
  await opened.close()

  await page.getByRole('link', { name: 'Look at it and approve' }).click()
  await page.getByText('Registration', { exact: true }).waitFor()
  await take(page, 'approve', page.getByText('This LMS waits for your approval'))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Active', { exact: true }).waitFor()

  const [tool] = lms.tools.values()
  if (!tool) throw new Error('the LMS has no tool')
  const { course, teacher } = lms.classOf(1)
  const quiz = lms.addLink(course, { deployment: lms.deploymentOf(tool), title: 'Cells quiz' })
  await lms.launcher().go({ as: teacher, link: quiz })
  lms.fail('token', { status: 400, body: { error: 'invalid_scope' }, times: 1 })
  await page.getByRole('button', { name: 'Run the self-test' }).click()
  const done = page.getByText('Nothing is wrong; 2 things to look at.')
  await done.waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.setViewportSize({ width: 1100, height: 1180 })
  await take(page, 'self-test', done)
} finally {
  await browser.close()
  await server.stop()
  await lms.close()
}
