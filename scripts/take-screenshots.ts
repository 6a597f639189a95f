/**
 * Run it when a screen has changed: takes the README's screenshots of the demo course into docs/pictures, with the
 * built client. `node scripts/take-screenshots.ts`
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { contextOptions, desktop, openBrowser, phone } from '../tests/journeys/support/browser.ts'
import { startServer } from '../tests/journeys/support/product-server.ts'

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url))
await mkdir(folder, { recursive: true })
const server = await startServer({ DEMO: 'on' })
const browser = await openBrowser()

async function signIn(role: 'instructor' | 'student', viewport = desktop): Promise<Page> {
  const page = await browser.newPage({ ...contextOptions, viewport, baseURL: server.url })
  page.setDefaultTimeout(180_000)
  const button = page.getByRole('button', { name: `Try the demo as ${role}` })
  // The demo is still being created when the page is shown.
  for (;;) {
    await page.goto('/auth/login')
    if (await button.isVisible({ timeout: 1000 }).catch(() => false)) break
    await page.waitForTimeout(1000)
  }
  await button.click()
  await page.waitForURL('**/dashboard')
  return page
}

async function takeScreenshot(page: Page, path: string, name: string, until = 'main h1'): Promise<void> {
  await page.goto(path)
  await page.locator(until).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  console.log(`${name}.png`)
}

/** A comment and a tick, as a teacher would. */
async function drawOn(page: Page): Promise<void> {
  await page.keyboard.press('d')
  await page.getByRole('toolbar', { name: 'Pen' }).waitFor()
  const sheet = await page.getByTestId('pen-1').boundingBox()
  if (!sheet) throw new Error('the pen is out')
  const click = (x: number, y: number) => page.mouse.click(sheet.x + x * sheet.width, sheet.y + y * sheet.height)
  await page.keyboard.press('w')
  await click(0.72, 0.222)
  await page.keyboard.type('What goes in, what comes out?')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Green' }).click()
  await page.keyboard.press('v')
  await click(0.29, 0.573)
  await page.getByRole('img', { name: /^Tick .* by/ }).waitFor()
  await page.keyboard.press('d')
}

try {
  const instructor = await signIn('instructor')
  while (!(await instructor.getByText('Published').first().isVisible())) {
    await instructor.waitForTimeout(1000)
    await instructor.reload()
    await instructor.waitForLoadState('networkidle')
  }
  await takeScreenshot(instructor, '/assignments/1/submissions', 'submissions')
  await instructor.goto('/assignments/1/submissions/2')
  await instructor.locator('canvas').first().waitFor()
  await instructor.waitForTimeout(1500)
  await drawOn(instructor)
  await instructor.keyboard.press('1')
  await instructor.waitForTimeout(500)
  await instructor.screenshot({ path: join(folder, 'review.png'), animations: 'disabled' })
  console.log('review.png')
  await takeScreenshot(instructor, '/assignments/1/questions/q1', 'question')
  await takeScreenshot(await signIn('student'), '/student/courses/1', 'student-course')
  await takeScreenshot(await signIn('instructor', phone), '/assignments/1/submissions/2', 'phone-review', 'canvas')
} finally {
  await browser.close()
  await server.stop()
}
