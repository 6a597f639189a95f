import type { RunningServer } from '../../../server/src/start.ts'
import type { Api } from '../../../server/src/testing/api.ts'
import { measureLaunchVisits } from './launch-visits.ts'
import { scorePages } from './lighthouse.ts'
import { buildPageClass } from './page-class.ts'
import { measureVisits, type PageCost } from './page-visits.ts'

const ROWS = 10_000
const SLOWDOWNS = [1, 4]
const MAX_REQUESTS = 12
const MAX_RATIO = 1.5
const MAX_LAUNCH_MS = 1000

const row = (cells: readonly string[]) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(i === 1 ? 4 : 9))).join(' '))
const ms = (value: number) => value.toFixed(0)

/** Pages and launches in Chromium, from navigation to the first row. */
export async function reportPages(running: RunningServer, api: Api, only: readonly string[]): Promise<void> {
  const pages = await buildPageClass(running, api, ROWS)
  const { signIn, dashboard, submissions, review, questions, studentResult } = pages
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name.replace(' ', '-'))
  const screens = [signIn, ...[dashboard, submissions, review, questions, studentResult].filter(isWanted)]
  const costs = await measureVisits(running.url, screens, SLOWDOWNS)
  const launches = isWanted({ name: 'launch' }) ? await measureLaunchVisits(running, pages, SLOWDOWNS) : []

  console.log(`\nPages in Chromium, ms from navigation to the first row (${ROWS.toLocaleString('en')} submissions)`)
  console.log(`goals: at most ${MAX_REQUESTS} requests, none twice; cold at most ${MAX_RATIO}× the sign-in page`)
  row(['page', 'CPU', 'requests', 'cold', '× sign-in', 'requests', 'warm'])
  for (const cost of costs) {
    const base = costs.find(({ name, slowdown }) => name === signIn.name && slowdown === cost.slowdown)
    const ratio = base ? cost.cold.ms / base.cold.ms : Number.NaN
    row([...common(cost), ms(cost.cold.ms), ratio.toFixed(2), ...warm(cost)])
    printTwice(cost)
  }
  if (launches.length === 0) return
  console.log(`Launches, ms from the LMS's post to the first row; goal: at most ${MAX_LAUNCH_MS} ms`)
  row(['launch', 'CPU', 'requests', 'cold', 'hand-off', 'requests', 'warm', 'hand-off'])
  for (const cost of launches) {
    row([...common(cost), ms(cost.cold.ms), ms(cost.handOff.cold), ...warm(cost), ms(cost.handOff.warm)])
    printTwice(cost)
  }
}

const common = ({ name, slowdown, cold }: PageCost) => [name, `${slowdown}×`, String(cold.requests)]
/** Of the requests of a full cache only those that reach the server. */
const warm = ({ warm: visit }: PageCost) => [String(visit.requests - visit.cached), ms(visit.ms)]

function printTwice({ name, cold, warm: again }: PageCost): void {
  for (const address of new Set([...cold.twice, ...again.twice])) console.log(`  ${name}: asked twice for ${address}`)
}

/** Lighthouse's scores on a phone. */
export async function reportLighthouse(running: RunningServer, api: Api, only: readonly string[]): Promise<void> {
  const { landing, dashboard, submissions, review, studentResult } = await buildPageClass(running, api, ROWS)
  const wanted = [landing, dashboard, submissions, review, studentResult].filter(
    ({ name }) => only.length === 0 || only.includes(name.replace(' ', '-')),
  )
  const scores = await scorePages(running.url, wanted)
  console.log('\nLighthouse, mobile; goals: performance at least 90, accessibility 100')
  row(['page', 'performance', 'FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'accessibility'])
  for (const { name, performance, accessibility, problems, metrics } of scores) {
    const { fcp, lcp, tbt, cls } = metrics
    row([name, String(performance), ms(fcp), ms(lcp), ms(tbt), cls.toFixed(3), String(accessibility)])
    if (problems.length > 0) console.log(`  ${name}: ${problems.join(', ')}`)
  }
}
