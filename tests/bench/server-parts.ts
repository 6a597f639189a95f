import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { measureReads } from './api-reads.ts'
import type { BenchReport } from './bench-report.ts'
import { ASSIGNMENTS, LARGE, measureCourses, SMALL } from './course-reads.ts'
import { measureGrading } from './grading.ts'
import { measureThroughput } from './llm-throughput.ts'
import { measureLaunches } from './lms-launches.ts'
import { measureScores } from './score-sending.ts'

// The parts of `npm run bench` for which a server is started.

export async function grading({ heading, result }: BenchReport, running: RunningServer, api: Api, instructor: Person) {
  const cost = await measureGrading(running, api, instructor)
  heading(`Grading ${cost.papers} papers of ${cost.pagesEach} pages offline, through the product`)
  result('papers read and graded per second', cost.papersPerSecond.toFixed(1))
  result('papers graded per second, after reading', cost.gradedPerSecond.toFixed(1))
  result('peak memory of the process tree', `${cost.peakMegabytes.toFixed(0)} MB`, 'goal: under 2,048 MB')
  result('event-loop delay, p99', `${cost.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
  result('event-loop delay, longest', `${cost.delayMax.toFixed(1)} ms`)

  const token = (await api.as(instructor).token()) ?? ''
  heading('Reads over HTTP against a bare Express route over the same collection')
  for (const { what, ours, bare, ratio } of await measureReads(running.url, token, cost.assignmentId)) {
    result(`${what}: ours / bare`, `${ours.toFixed(0)} / ${bare.toFixed(0)} req/s`)
    result('ratio of times', `${ratio.toFixed(2)}×`, 'goal: at most 2×')
  }
}

export async function llm({ heading, result }: BenchReport, running: RunningServer, api: Api, instructor: Person) {
  const cost = await measureThroughput(running, api, instructor)
  heading(
    `Grading ${cost.papers} read papers with an LLM of ${cost.answersInMs} ms latency, concurrency ${cost.concurrency}`,
  )
  result(
    'from the first request to the last grade',
    `${cost.seconds.toFixed(1)} s`,
    `${cost.idealSeconds.toFixed(1)} s at best`,
  )
  result('share of the ideal throughput', `${(100 * cost.share).toFixed(1)} %`, 'goal: at least 95 %')
  result('the same, from the start of the run', `${(100 * cost.shareOfRun).toFixed(1)} %`)
  result('peak concurrency of requests', String(cost.peakConcurrency))
  result('CPU per paper', `${cost.cpuMs.toFixed(1)} ms`)
  const row = (of: 'resident' | 'live') => `${cost.memory.map((one) => one[of].toFixed(0)).join(' / ')} MB`
  result('memory in use with a tenth, half and all graded', row('live'), 'goal: flat')
  result('the same, resident', row('resident'))
  result('event-loop delay, p99', `${cost.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
}

export async function courses({ heading, result }: BenchReport, running: RunningServer, api: Api, instructor: Person) {
  const { costs } = await measureCourses(running.url, api, instructor)
  heading(`A course of ${SMALL} and one of ${LARGE} students, ${ASSIGNMENTS} assignments each`)
  for (const { what, small, large, growth, goal } of costs) {
    const figures = `${small.toFixed(1)} / ${large.toFixed(1)} ms`
    result(what, figures, `${growth.toFixed(1)}×${goal === null ? '' : `, goal: at most ${goal}×`}`)
  }
}

export async function launches({ heading, result }: BenchReport, running: RunningServer) {
  const { ours, bare, ...cost } = await measureLaunches(running)
  heading(`${cost.launches} launches from an LMS, against a bare ltijs tool over the same database`)
  const goal = 'goal: at most 1.5×'
  const times = (a: number, b: number) => `${(a / b).toFixed(2)}×`
  for (const { what, p50, p95, cpu, perSecond } of ours) {
    heading(
      `${cost.launches} launches from an LMS into ${what}, against a bare ltijs tool over the same database: ours / bare`,
    )
    result('launch, p50', `${p50.toFixed(1)} / ${bare.p50.toFixed(1)} ms`, times(p50, bare.p50))
    result('launch, p95', `${p95.toFixed(1)} / ${bare.p95.toFixed(1)} ms`, `${times(p95, bare.p95)}, ${goal}`)
    result(
      `launches per second, concurrency ${cost.concurrency}`,
      `${perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)}`,
      `${times(bare.perSecond, perSecond)}, ${goal}`,
    )
    result('CPU per launch, including the LMS’s', `${cpu.toFixed(1)} / ${bare.cpu.toFixed(1)} ms`, times(cpu, bare.cpu))
  }
}

export async function scores({ heading, result }: BenchReport, running: RunningServer, api: Api) {
  const cost = await measureScores(running, api)
  heading(`${cost.scores} scores to an LMS with ${cost.answersInMs} ms latency`)
  result('until the last one is in the LMS', `${cost.seconds.toFixed(1)} s`, `${cost.atBest.toFixed(1)} s at best`)
  result('scores per second', cost.perSecond.toFixed(1))
  result('until a score is in the LMS, p50 / p95', `${cost.p50.toFixed(1)} / ${cost.p95.toFixed(1)} s`)
  result('requests in total', String(cost.calls))
}
