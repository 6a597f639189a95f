import type { Browser } from 'playwright-core'
import type { RunningServer } from '../../../server/src/start.ts'
import type { Api } from '../../../server/src/testing/server.ts'
import { desktop, openBrowser } from '../../journeys/support/browser.ts'
import type { BenchReport } from '../bench-report.ts'
import { median } from '../statistics.ts'
import { slowDown, type Visit, visitOf, watchForFirstRow } from './first-row.ts'
import { type BenchPage, buildPageClass } from './page-class.ts'

const ROWS = 10_000
const SLOWDOWNS = [1, 4]
const MAX_REQUESTS = 12
const MAX_RATIO = 1.5

const ms = (value: number) => `${value.toFixed(0)} ms`

export async function reportPages(
  { heading, result, text }: BenchReport,
  running: RunningServer,
  api: Api,
  only: readonly string[],
): Promise<void> {
  const pages = await buildPageClass(running, api, ROWS)
  const { signIn, dashboard, submissions, review, questions, studentResult } = pages
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name.replace(' ', '-'))
  const screens = [signIn, ...[dashboard, submissions, review, questions, studentResult].filter(isWanted)]
  const costs = await measureVisits(running.url, screens, SLOWDOWNS)
  const requests = (name: string, { cold, warm }: PageCost) => {
    const goal = `goal: at most ${MAX_REQUESTS}, none twice`
    result(`${name}: requests, cold / warm`, `${cold.requests} / ${warm.requests - warm.cached}`, goal)
    for (const address of new Set([...cold.twice, ...warm.twice])) text(`  ${name}: asked twice for ${address}`)
  }
  heading(`Pages in Chromium, from navigation to the first row, ${ROWS.toLocaleString('en')} submissions`)
  for (const cost of costs) {
    const base = costs.find(({ name, slowdown }) => name === signIn.name && slowdown === cost.slowdown)
    const ratio = base ? cost.cold.ms / base.cold.ms : Number.NaN
    const name = `${cost.name}, CPU ${cost.slowdown}× slower`
    result(`${name}: cold`, ms(cost.cold.ms), `${ratio.toFixed(2)}× sign-in, goal: at most ${MAX_RATIO}×`)
    result(`${name}: warm`, ms(cost.warm.ms))
    requests(name, cost)
  }
}

const ROUNDS = 5

interface PageCost {
  name: string
  slowdown: number
  cold: Visit
  warm: Visit
}

/** The pages take turns, so that other load on the machine affects all of them. */
async function measureVisits(
  url: string,
  pages: readonly BenchPage[],
  slowdowns: readonly number[],
): Promise<PageCost[]> {
  const browser = await openBrowser()
  try {
    // The first page of a new browser waits for more than itself.
    await visitTwice(browser, url, pages[0], 1)
    const found = slowdowns.flatMap((slowdown) =>
      pages.map((page) => ({ page, slowdown, cold: [] as Visit[], warm: [] as Visit[] })),
    )
    for (let round = 0; round < ROUNDS; round++)
      for (const cost of found) {
        const { cold, warm } = await visitTwice(browser, url, cost.page, cost.slowdown)
        cost.cold.push(cold)
        cost.warm.push(warm)
      }
    return found.map(({ page, slowdown, cold, warm }) => ({
      name: page.name,
      slowdown,
      cold: typical(cold),
      warm: typical(warm),
    }))
  } finally {
    await browser.close()
  }
}

function typical(visits: readonly Visit[]): Visit {
  return {
    ms: median(visits.map(({ ms }) => ms)),
    requests: Math.max(...visits.map(({ requests }) => requests)),
    cached: Math.min(...visits.map(({ cached }) => cached)),
    twice: [...new Set(visits.flatMap(({ twice }) => twice))],
  }
}

async function visitTwice(browser: Browser, url: string, page: BenchPage | undefined, slowdown: number) {
  if (!page) throw new Error('no page to measure')
  const context = await browser.newContext({ viewport: desktop, baseURL: url })
  if (page.token) await context.addInitScript(`localStorage.setItem('assay.token', ${JSON.stringify(page.token)})`)
  await watchForFirstRow(context, page.firstRow)
  const visit = async () => {
    const tab = await context.newPage()
    await slowDown(tab, slowdown)
    await tab.goto(page.path, { waitUntil: 'commit' })
    const visited = await visitOf(tab)
    await tab.close()
    return visited
  }
  const visits = { cold: await visit(), warm: await visit() }
  await context.close()
  return visits
}
