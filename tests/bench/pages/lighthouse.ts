import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { openBrowserWithProfile } from '../../journeys/support/browser.ts'
import { medianOf } from './first-row.ts'
import type { BenchPage } from './page-class.ts'

interface Metrics {
  fcp: number
  lcp: number
  tbt: number
  cls: number
}

interface PageScore {
  name: string
  /** Out of 100, the median of the rounds. */
  performance: number
  accessibility: number
  metrics: Metrics
  /** Failed accessibility audits. */
  problems: string[]
}

const ROUNDS = 3

/** Lighthouse's scores for pages on a phone of the middle class over 4G, its default. */
export async function scorePages(url: string, pages: readonly BenchPage[]): Promise<PageScore[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-lighthouse-'))
  const context = await openBrowserWithProfile(folder, ['--remote-debugging-port=0'])
  try {
    const port = Number((await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n')[0])
    const page = context.pages()[0] ?? (await context.newPage())
    const scores: PageScore[] = []
    for (const one of pages) {
      await page.goto(`${url}/terms`)
      await page.evaluate(
        one.token ? `localStorage.setItem('assay.token', ${JSON.stringify(one.token)})` : 'localStorage.clear()',
      )
      await page.goto('about:blank')
      const results: Lhr[] = []
      for (let round = 0; round < ROUNDS; round++) results.push(await runOnce(url, one.path, port))
      scores.push(scoreOf(one.name, results))
    }
    return scores
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Lhr = RunnerResult['lhr']

/** Lighthouse now and then loses the start of its own trace, and asks to be run again. */
async function runOnce(url: string, path: string, port: number, again = true): Promise<Lhr> {
  const result = await lighthouse(url + path, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility'],
  })
  if (!result) throw new Error(`Lighthouse has no result for ${path}`)
  const { runtimeError, finalDisplayedUrl } = result.lhr
  if (runtimeError?.code === 'NO_NAVSTART' && again) return runOnce(url, path, port, false)
  if (runtimeError) throw new Error(`Lighthouse on ${path}: ${runtimeError.message}`)
  // A redirect to the sign-in page would measure the wrong page.
  if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} was redirected to ${finalDisplayedUrl}`)
  return result.lhr
}

function scoreOf(name: string, results: readonly Lhr[]): PageScore {
  const median = (read: (lhr: Lhr) => number | null | undefined) => medianOf(results.map((lhr) => read(lhr) ?? 0))
  const category = (id: string) => Math.round(100 * median(({ categories }) => categories[id]?.score))
  const metric = (id: string) => median(({ audits }) => audits[id]?.numericValue)
  return {
    name,
    performance: category('performance'),
    accessibility: category('accessibility'),
    metrics: {
      fcp: metric('first-contentful-paint'),
      lcp: metric('largest-contentful-paint'),
      tbt: metric('total-blocking-time'),
      cls: metric('cumulative-layout-shift'),
    },
    problems: [...new Set(results.flatMap(failedAccessibilityAudits))],
  }
}

function failedAccessibilityAudits({ categories, audits }: Lhr): string[] {
  const ids = new Set(categories.accessibility?.auditRefs.map(({ id }) => id))
  return Object.values(audits)
    .filter(({ id, score }) => ids.has(id) && score !== null && score < 1)
    .map(({ id }) => id)
}
