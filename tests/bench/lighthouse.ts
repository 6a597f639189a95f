import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { openBrowserWithProfile } from '../journeys/support/browser.ts'

interface PageScore {
  path: string
  /** Out of 100, the median of the rounds. */
  performance: number
  accessibility: number
  /** Failed accessibility audits. */
  problems: string[]
}

const ROUNDS = 3

/** Lighthouse's scores for pages, signed in if there is a token. */
export async function measurePages(url: string, pages: { path: string; token: string | null }[]): Promise<PageScore[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-lighthouse-'))
  const context = await openBrowserWithProfile(folder, ['--remote-debugging-port=0'])
  try {
    const port = Number((await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n')[0])
    const page = context.pages()[0] ?? (await context.newPage())
    const scores: PageScore[] = []
    for (const { path, token } of pages) {
      await page.goto(`${url}/terms`)
      await page.evaluate(
        token ? `localStorage.setItem('assay.token', ${JSON.stringify(token)})` : 'localStorage.clear()',
      )
      await page.goto('about:blank')
      scores.push(await scorePage(url, path, port))
    }
    return scores
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function scorePage(url: string, path: string, port: number): Promise<PageScore> {
  const [performances, accessibilities]: [number[], number[]] = [[], []]
  let problems: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const result = await lighthouse(
      url + path,
      {
        port,
        logLevel: 'error',
        onlyCategories: ['performance', 'accessibility'],
        disableStorageReset: true,
      },
      desktopConfig,
    )
    if (!result) throw new Error(`Lighthouse has no result for ${path}`)
    const { categories, audits, runtimeError, finalDisplayedUrl } = result.lhr
    if (runtimeError) throw new Error(`Lighthouse on ${path}: ${runtimeError.message}`)
    // A redirect to the sign-in page would measure the wrong page.
    if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} was redirected to ${finalDisplayedUrl}`)
    performances.push((categories.performance?.score ?? 0) * 100)
    accessibilities.push((categories.accessibility?.score ?? 0) * 100)
    const accessibilityIds = new Set(categories.accessibility?.auditRefs.map(({ id }) => id))
    problems = Object.values(audits)
      .filter(({ id, score }) => accessibilityIds.has(id) && score !== null && score < 1)
      .map(({ id }) => id)
  }
  const median = (values: number[]) => Math.round(values.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0)
  return { path, performance: median(performances), accessibility: median(accessibilities), problems }
}
