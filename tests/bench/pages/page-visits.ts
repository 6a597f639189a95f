import type { Browser } from 'playwright-core'
import { desktop, openBrowser } from '../../journeys/support/browser.ts'
import { median } from '../statistics.ts'
import { slowDown, type Visit, visitOf, watchForFirstRow } from './first-row.ts'
import type { BenchPage } from './page-class.ts'

const ROUNDS = 5

export interface PageCost {
  name: string
  slowdown: number
  cold: Visit
  warm: Visit
}

/** The pages take turns, so that other load on the machine affects all of them. */
export async function measureVisits(
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
