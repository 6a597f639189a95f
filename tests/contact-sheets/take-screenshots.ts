/**
 * Run it when screens have changed, and look at the results: screenshots of every screen in its states, for each role, in both widths,
 * light and dark, with high contrast and embedded, arranged on contact sheets in `.cache/contact-sheets`. Lists axe violations, horizontal
 * scrolling and console errors, and exits with 1 if there are any. `npm run contact-sheets`, or with parts of names:
 * `npm run contact-sheets -- roster regrade`
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startRegisteredLms } from '../../server/src/testing/registered-lms.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { accessibilityProblems } from '../journeys/support/accessibility.ts'
import { openBrowser } from '../journeys/support/browser.ts'
import { composeSheets } from './compose-sheets.ts'
import { type ScreenVariant, variantName, variantsOf, variantViewport } from './screen-variants.ts'
import { screens } from './screens.ts'
import { buildTestData, type TestData } from './test-data.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.cache/contact-sheets')

/** Requests of the route guard and the app bar, which always succeed: only a signed-in user sees a screen load or fail. */
const sessionRequests = /\/api\/v1\/(auth\/|settings\/public)/

const failure = {
  detail: 'A server error occurred. Our team has been notified and is working to fix the issue.',
  message: 'A server error occurred. Our team has been notified and is working to fix the issue.',
  error_code: 'service_unavailable',
  category: 'system',
  suggestions: ['Try again in a moment.'],
  can_retry: true,
  contact_support: true,
  request_id: '6f1c1b1e-0000-4000-8000-000000000000',
  timestamp: '2026-09-01T08:00:00Z',
}

async function arrangeResponses(page: Page, look: ScreenVariant): Promise<void> {
  if (look.state !== 'loading' && look.state !== 'error') return
  await page.route('**/api/v1/**', (route) => {
    if (sessionRequests.test(route.request().url())) return route.continue()
    if (look.state === 'loading') return // Never answered.
    return route.fulfill({ status: 500, json: failure })
  })
  // A failed read is retried three times over some seconds, so the clock is sped up.
  if (look.state === 'error') await page.clock.install()
}

/** The path prefix of a launch; mocks the resume request to return its session. */
async function openLaunchSession(page: Page, { launches }: TestData, { screen }: ScreenVariant): Promise<string> {
  if (!screen.launch) return ''
  const session = launches[screen.launch]
  await page.route('**/api/v1/auth/lti/resume/**', (route) => route.fulfill({ json: session }))
  return `/l/${session.launch.id}`
}

async function waitUntilStable(page: Page, look: ScreenVariant): Promise<void> {
  if (look.state === 'error') {
    for (let second = 0; second < 25; second++) {
      await page.clock.runFor(1000)
      await page.waitForTimeout(30)
    }
    await page.waitForTimeout(300)
    return
  }
  const waiting = page.locator('.mantine-Skeleton-root').first()
  const entered = page.getByText('Loading authentication...')
  await entered.waitFor({ state: 'hidden' }).catch(() => {})
  if (look.state === 'loading') await waiting.waitFor().catch(() => {})
  else {
    await page.waitForLoadState('networkidle').catch(() => {})
    await waiting.waitFor({ state: 'hidden' }).catch(() => {})
    if (/review|student-assignment/.test(look.screen.name))
      await page
        .locator('canvas')
        .first()
        .waitFor()
        .catch(() => {})
  }
  await page.waitForTimeout(700)
}

async function takeScreenshot(browser: Browser, url: string, world: TestData, look: ScreenVariant): Promise<string[]> {
  const context = await browser.newContext({
    viewport: variantViewport(look),
    baseURL: url,
    colorScheme: look.dark ? 'dark' : 'light',
    contrast: look.highContrast ? 'more' : 'no-preference',
    reducedMotion: 'reduce',
  })
  const complaints: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
    page.on('console', (message) => {
      const refused = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !refused && look.state !== 'error')
        complaints.push(`console: ${message.text()}`)
    })
    if (look.role !== 'visitor') {
      const token = world.tokens[look.role]
      await page.addInitScript(`localStorage.setItem('assay.token', ${JSON.stringify(token)})`)
    }
    if (look.embedded) await page.addInitScript(`sessionStorage.setItem('assay-mode', 'lti-embedded')`)
    await arrangeResponses(page, look)
    const path = (look.state === 'empty' && look.screen.empty?.path) || look.screen.path
    await page.goto((await openLaunchSession(page, world, look)) + path(world))
    await waitUntilStable(page, look)
    await page.screenshot({ path: join(folder, 'all', `${variantName(look)}.png`), animations: 'disabled' })
    complaints.push(...(await accessibilityProblems(page)))
    const beyond = Number(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    )
    if (beyond > 0) complaints.push(`scrolls ${beyond} px sideways`)
  } catch (error) {
    complaints.push(`no picture: ${error instanceof Error ? error.message : error}`)
  } finally {
    await context.close()
  }
  return complaints
}

const names = process.argv.slice(2)
const looks = variantsOf(screens).filter(
  (look) => names.length === 0 || names.some((name) => variantName(look).includes(name)),
)
const dataDir = await mkdtemp(join(tmpdir(), 'assay-sheets-'))
await rm(folder, { recursive: true, force: true })
await mkdir(join(folder, 'all'), { recursive: true })
const running = await startTestServer(
  dataDir,
  { NODE_ENV: 'development', DEMO: 'on' },
  { clientFolder: join(root, 'client/dist') },
)
const school = await startRegisteredLms({ running }, { administratorsTeach: false })
const browser = await openBrowser()
let found = 0
try {
  const world = await buildTestData(running, school)
  const waiting = [...looks]
  const work = async () => {
    for (let look = waiting.shift(); look; look = waiting.shift()) {
      const complaints = await takeScreenshot(browser, running.url, world, look)
      found += complaints.length
      console.log(`${complaints.length ? '✗' : '✓'} ${variantName(look)}`)
      for (const complaint of complaints) console.log(`    ${complaint}`)
    }
  }
  await Promise.all([work(), work()])
} finally {
  await browser.close()
  await school.lms.close()
  await running.stop()
  await rm(dataDir, { recursive: true, force: true })
}
const sheets = await composeSheets(folder, looks)
console.log(`\n${looks.length} pictures on ${sheets.length} sheets in .cache/contact-sheets; ${found} complaints`)
process.exit(found ? 1 : 0)
