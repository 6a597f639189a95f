import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RunningServer } from '../../server/src/start.ts'
import { buildPerson, gradeAssignment } from '../../server/src/testing/build-course.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import type { BenchReport } from './bench-report.ts'
import { buildReadPapers, chooseFakeLlm, startSlowLlm } from './class-for-slow-llm.ts'

/** In MB: resident, and the heap in use after garbage collection. */
interface Memory {
  resident: number
  live: number
}

const PAPERS = 1000
const CONCURRENCY = 20
const LATENCY_MS = 1000

/** Of the server process, with database and offline cross-check. */
export async function llm(
  { heading, result }: BenchReport,
  { services }: RunningServer,
  api: Api,
  instructor: Person,
): Promise<void> {
  const assignmentId = await buildReadPapers(api, instructor, PAPERS)
  const model = await startSlowLlm(LATENCY_MS)
  try {
    await chooseFakeLlm(api, await buildPerson('admin'), model.line, CONCURRENCY)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const memory: Memory[] = []
    let gradingSince = 0
    let cpu = process.cpuUsage()
    services.events.onLocal('run_changed', ({ payload }) => {
      if (payload.status !== 'grading') return
      if (gradingSince === 0) {
        gradingSince = performance.now()
        delay.enable()
        cpu = process.cpuUsage()
      }
      const due = [0.1, 0.5][memory.length]
      if (due !== undefined && payload.graded >= due * PAPERS) memory.push(memoryNow())
    })
    const began = performance.now()
    const run = await gradeAssignment(api, instructor, assignmentId)
    const ended = performance.now()
    delay.disable()
    const { user, system } = process.cpuUsage(cpu)
    memory.push(memoryNow())
    if (run.graded !== PAPERS) throw new Error(`${run.graded} of ${PAPERS} graded`)

    const ideal = ((PAPERS / CONCURRENCY) * LATENCY_MS) / 1000
    const seconds = (since: number) => (ended - since) / 1000
    const share = (since: number) => `${((100 * ideal) / seconds(since)).toFixed(1)} %`
    const counts: unknown = await (await fetch(`${model.line}/control/counts`)).json()
    const most = counts && typeof counts === 'object' && 'most_at_once' in counts ? counts.most_at_once : 0
    const row = (of: keyof Memory) => `${memory.map((one) => one[of].toFixed(0)).join(' / ')} MB`
    heading(`Grading ${PAPERS} read papers with an LLM of ${LATENCY_MS} ms latency, concurrency ${CONCURRENCY}`)
    const atBest = `${ideal.toFixed(1)} s at best`
    result('from the first request to the last grade', `${seconds(gradingSince).toFixed(1)} s`, atBest)
    result('share of the ideal throughput', share(gradingSince), 'goal: at least 95 %')
    result('the same, from the start of the run', share(began))
    result('peak concurrency of requests', String(most))
    result('CPU per paper', `${((user + system) / 1000 / PAPERS).toFixed(1)} ms`)
    result('memory in use with a tenth, half and all graded', row('live'), 'goal: flat')
    result('the same, resident', row('resident'))
    // The monitor's own interval of 5 ms is included.
    result('event-loop delay, p99', `${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms`, 'goal: under 50 ms')
  } finally {
    await model.kill()
  }
}

function memoryNow(): Memory {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { rss, heapUsed } = process.memoryUsage()
  return { resident: rss / 1024 / 1024, live: heapUsed / 1024 / 1024 }
}
