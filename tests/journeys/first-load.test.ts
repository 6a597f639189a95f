import { createCourse } from '@assay/shared/courses.ts'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildAssignment, correctAnswers, drawPaper } from '../../server/src/testing/build-course.ts'
import type { Person } from '../../server/src/testing/server.ts'
import { phone } from './support/browser.ts'
import { registerPerson, useProduct } from './support/product.ts'

const product = useProduct()

it('sends under 250 KB for the sign-in page, including font and styles, without PDF viewer and live updates', async () => {
  const { page, context } = await product.open()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const sizes = new Map<string, number>()
  const urls = new Map<string, string>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  // A page of a few KB would mean that transfers were not counted.
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(250_000)
  const loaded = [...urls.values()].join('\n')
  expect(loaded).not.toMatch(/pdf|socket\.io|chart/i)
  expect(product.browserErrors).toEqual([])
})

/** web.dev/cls; what follows a click or a key does not count. */
const sumLayoutShifts = `
  let shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value
    window.shifted = shifted
  }).observe({ type: 'layout-shift', buffered: true })`

/** With the font at hand, which a busy machine may send late. */
async function shiftsOfReturn(page: Page, rows: Locator): Promise<number> {
  await page.reload()
  await rows.filter({ visible: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  return Number(await page.evaluate('window.shifted ?? 0'))
}

/** In the page: when the first row came into the document. */
function noteFirstRow(row: string): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(row)) return
    Object.assign(window, { firstRowAt: performance.now() })
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** In the page: the program's files asked for later than that. */
function pathsAfterFirstRow(): string[] {
  const at = Number(Reflect.get(window, 'firstRowAt'))
  return performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime > at)
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith('/assets/'))
}

describe('a first visit', () => {
  let teacher: Person
  let assignment: { assignmentId: number; submissionIds: number[] }
  let courseId: number
  beforeAll(async () => {
    const { api } = product
    teacher = await registerPerson(api, 'instructor', 'frida')
    const bytes = await drawPaper({ full_name: 'Ada Lovelace' }, correctAnswers)
    assignment = await buildAssignment(api, { instructor: teacher }, [{ name: 'ada.pdf', bytes }])
    courseId = (await api.as(teacher).send(createCourse, { body: { name: 'Physics' } })).body.id
  })

  const listPath = () => `/assignments/${assignment.assignmentId}/submissions`
  const screens: { name: string; pathOf: () => string; firstRow: string; most: number }[] = [
    { name: 'the dashboard', pathOf: () => '/dashboard', firstRow: 'article a, li a', most: 12 },
    { name: 'the submissions', pathOf: listPath, firstRow: 'tbody tr', most: 12 },
    {
      name: 'a review',
      pathOf: () => `${listPath()}/${assignment.submissionIds[0]}`,
      firstRow: 'main h1, main h2',
      most: 12,
    },
  ]
  it.each(screens)('brings $name in few requests, none of them twice, and nothing moves', async (screen) => {
    const { pathOf, firstRow, most } = screen
    const { page } = await product.openAs(teacher)
    await page.addInitScript(sumLayoutShifts)
    await page.addInitScript(noteFirstRow, firstRow)
    const requested: string[] = []
    page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.goto(pathOf(), { waitUntil: 'commit' })
    await page.locator(firstRow).filter({ visible: true }).first().waitFor()
    // Without the browser's own, what follows the data (live updates, the PDF viewer), and what is sure.
    const later = /favicon|\/esm-|PdfPages|pdf\.worker|\/file$|socket\.io|grade-approvals/
    const untilRow = requested.filter((one) => !later.test(one))
    await page.waitForLoadState('networkidle')
    // What is fetched ahead in idle time may have begun while the row was being reported to this test.
    const followed = new Set(await page.evaluate(pathsAfterFirstRow))
    const own = untilRow.filter((one) => !followed.has(one.slice(one.indexOf('/'))))
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(most)
    expect(requested.length, requested.join('\n')).toBe(new Set(requested).size)
    expect(await shiftsOfReturn(page, page.locator(firstRow))).toBeLessThan(0.05)
  })

  const nextScreens = [
    { name: 'the PDF viewer on the way to a paper', pathOf: listPath, parts: [/PdfPages-.*\.js$/, /pdf\.worker/] },
    {
      name: 'charts on the way to the analytics',
      pathOf: () => `/courses/${courseId}`,
      parts: [/AnalyticsPage-.*\.js$/],
    },
  ]
  it.each(nextScreens)('fetches $name when idle', async ({ pathOf, parts }) => {
    const { page } = await product.openAs(teacher)
    const requested = Promise.all(parts.map((part) => page.waitForRequest((request) => part.test(request.url()))))
    await page.goto(pathOf())
    await requested
    expect(product.browserErrors).toEqual([])
  })

  it('fetches nothing ahead for a reader who saves data', async () => {
    const { page } = await product.openAs(teacher)
    // In place of the browser's idle time, so that its end can be waited for.
    await page.addInitScript(`
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
      window.idleAsked = 0
      window.requestIdleCallback = () => ++window.idleAsked`)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(listPath())
    await page.locator('tbody tr').filter({ visible: true }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('idleAsked')).toBe(0)
    expect(requested.filter((url) => /PdfPages|pdf\.worker/.test(url))).toEqual([])
  })

  it('moves nothing on a phone', async () => {
    const { page } = await product.openAs(teacher, { viewport: phone })
    await page.addInitScript(sumLayoutShifts)
    await page.goto(listPath())
    const rows = page.getByRole('checkbox', { name: /Select submission/ })
    await rows.filter({ visible: true }).first().waitFor()
    expect(await shiftsOfReturn(page, rows)).toBeLessThan(0.05)
  })
})
