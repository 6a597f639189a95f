import type { Request } from '../../journeys/support/school-load.ts'
import type { BenchReport } from '../bench-report.ts'
import { measureUpgrade } from './measure-upgrade.ts'

/** Prints how requests went while each process was replaced. */
export async function reportUpgrade(report: BenchReport, revision: string | null): Promise<void> {
  const { from, samePackages, directions, paidTwice, migrations } = await measureUpgrade(revision)
  report.heading(`${from} and this version side by side: two webs and two workers replaced one by one, under load`)
  if (!samePackages) report.text(`(${from} ran with this version's packages, which are not quite its own)`)
  for (const { name, requests, sockets, papers, lostGrades, lostPapers, seconds } of directions) {
    report.heading(name)
    for (const [version, asked] of Map.groupBy(requests, (one) => one.version || 'nobody'))
      report.result(`answered by ${version}: ${statuses(asked)}`, String(asked.length))
    const failed = requests.filter(({ problem }) => problem !== null)
    report.result('failed', String(failed.length), 'goal: at most 0')
    for (const { what, status, problem } of failed.slice(0, 10))
      report.text(`  ${what}: ${status ?? 'no reply'} ${problem}`)
    const slowest = requests.reduce((a, b) => (b.ms > a.ms ? b : a))
    report.result(`slowest: ${slowest.what}`, `${slowest.ms.toFixed(0)} ms`)
    report.result('papers handed in / graded once', `${papers.handedIn} / ${papers.gradedOnce}`, 'goal: the same')
    report.result('saved grades that were lost', String(lostGrades), 'goal: at most 0')
    report.result('uploads over slow lines that were lost', String(lostPapers), 'goal: at most 0')
    const away = `longest away ${(sockets.longestAwayMs / 1000).toFixed(1)} s`
    report.result('sockets open at the end / reconnected', `${sockets.open} / ${sockets.reconnected}`, away)
    report.result('until all four were replaced', `${seconds.toFixed(0)} s`)
  }
  report.result('prompts paid for twice', String(paidTwice), 'goal: at most 0')
  report.result('migrations recorded', String(migrations.length), migrations.at(-1))
}

function statuses(requests: Request[]): string {
  const by = Map.groupBy(requests, ({ status }) => (status === null ? 'none' : `${Math.floor(status / 100)}xx`))
  return [...by].map(([status, some]) => `${status} ${some.length}`).join(', ')
}
