import type { RunningServer } from '../../../server/src/start.ts'
import type { Api } from '../../../server/src/testing/server.ts'
import type { BenchReport } from '../bench-report.ts'
import { buildPageClass } from './page-class.ts'
import { measureVisits, type PageCost } from './page-visits.ts'

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
