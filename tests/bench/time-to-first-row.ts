import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'
import { desktop, openBrowser } from '../journeys/support/browser.ts'

const ROUNDS = 5

/** From navigation until the first of `count` submissions is shown, in ms; the median of several rounds. */
export async function measureFirstRow(
  url: string,
  token: string,
  assignmentId: number,
  count: number,
): Promise<number> {
  await buildManySubmissions(assignmentId, count)
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: desktop, baseURL: url })
  await context.addInitScript(`localStorage.setItem('assay.token', ${JSON.stringify(token)})`)
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const page = await context.newPage()
    await page.goto(`/assignments/${assignmentId}/submissions`, { waitUntil: 'commit' })
    await page.getByRole('row').nth(1).waitFor({ timeout: 60_000 })
    times.push(Number(await page.evaluate('performance.now()')))
    await page.close()
  }
  await browser.close()
  // The first round fills the browser's cache, as a teacher's usually is.
  return times.slice(1).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}
