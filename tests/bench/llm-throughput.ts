import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { buildPerson, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { buildReadPapers, chooseFakeLlm, startSlowLlm } from './class-for-slow-llm.ts'

/** In MB: resident memory, and the heap in use after garbage collection. */
interface Memory {
  resident: number
  live: number
}

interface ThroughputCost {
  papers: number
  concurrency: number
  answersInMs: number
  /** Throughput from the first request on, relative to full concurrency all the time: 1 is ideal. */
  share: number
  /** The same from the start of the run, so including matching, extraction and preparing the class. */
  shareOfRun: number
  idealSeconds: number
  seconds: number
  /** Memory of the server process with a tenth, half and all of the papers graded. */
  memory: [Memory, Memory, Memory]
  /** Event-loop delay of the server process during grading, in ms. */
  delayP99: number
  peakConcurrency: number
  /** CPU time of the server process, including database and offline cross-check, in ms per paper. */
  cpuMs: number
}

/** A class graded by a slow fake LLM. */
export async function measureThroughput(
  { services }: RunningServer,
  api: Api,
  instructor: Person,
  { papers = 1000, concurrency = 20, answersInMs = 1000 } = {},
): Promise<ThroughputCost> {
  const assignmentId = await buildReadPapers(api, instructor, papers)
  const model = await startSlowLlm(answersInMs)
  try {
    await chooseFakeLlm(api, await buildPerson('admin'), model.line, concurrency)
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
      if (due !== undefined && payload.graded >= due * papers) memory.push(memoryNow())
    })
    const began = performance.now()
    const run = await gradeAssignment(api, instructor, assignmentId)
    const ended = performance.now()
    delay.disable()
    const { user, system } = process.cpuUsage(cpu)
    if (run.graded !== papers) throw new Error(`${run.graded} of ${papers} graded`)
    const idealSeconds = ((papers / concurrency) * answersInMs) / 1000
    const seconds = (ended - gradingSince) / 1000
    const counts: unknown = await (await fetch(`${model.line}/control/counts`)).json()
    const most = counts && typeof counts === 'object' && 'most_at_once' in counts ? counts.most_at_once : 0
    return {
      papers,
      concurrency,
      answersInMs,
      share: idealSeconds / seconds,
      shareOfRun: idealSeconds / ((ended - began) / 1000),
      idealSeconds,
      seconds,
      memory: [memory[0] ?? none, memory[1] ?? none, memoryNow()],
      // The monitor's own interval of 5 ms is included.
      delayP99: delay.percentile(99) / 1e6 - 5,
      peakConcurrency: Number(most),
      cpuMs: (user + system) / 1000 / papers,
    }
  } finally {
    await model.kill()
  }
}

const none: Memory = { resident: 0, live: 0 }

function memoryNow(): Memory {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { rss, heapUsed } = process.memoryUsage()
  return { resident: rss / 1024 / 1024, live: heapUsed / 1024 / 1024 }
}
