import type { BrowserContext, Page } from 'playwright-core'

export interface Visit {
  ms: number
  requests: number
  cached: number
  twice: string[]
}

export function watchForFirstRow(context: BrowserContext, selector: string): Promise<unknown> {
  return context.addInitScript(`
    window.firstRow = new Promise((drawn) => {
      const isThere = () => [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.checkVisibility())
      const look = () => {
        if (!isThere()) return
        watch.disconnect()
        const madeAt = performance.now()
        requestAnimationFrame(() => setTimeout(() => drawn({ madeAt, ms: performance.now() })))
      }
      const watch = new MutationObserver(look)
      watch.observe(document, { childList: true, subtree: true, attributes: true })
    })`)
}

interface Timing {
  /** In the document; it is drawn a frame later. */
  madeAt: number
  ms: number
}

interface Resource {
  name: string
  startTime: number
  transferSize: number
}

const icon = /\/favicon\.svg$/
/** What was asked for before the row and has not come by then is not counted. */
const LAST_REPLIES_MS = 1000

export async function visitOf(page: Page): Promise<Visit> {
  const { madeAt, ms } = await page.evaluate<Timing>('firstRow')
  await page.waitForTimeout(LAST_REPLIES_MS)
  const resources = await page.evaluate<Resource[]>(
    `performance.getEntriesByType('resource').map(({ name, startTime, transferSize }) => ({ name, startTime, transferSize }))`,
  )
  const before = resources.filter(
    ({ startTime, name }) => startTime < madeAt && name.startsWith('http') && !icon.test(name),
  )
  const names = before.map(({ name }) => name)
  return {
    ms,
    requests: before.length + 1,
    cached: before.filter(({ transferSize }) => transferSize === 0).length,
    twice: names.filter((name, i) => names.indexOf(name) !== i),
  }
}

/** 4 for a phone of the middle class. */
export async function slowDown(page: Page, times: number): Promise<void> {
  if (times === 1) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: times })
}
