import { type ChildProcess, spawn } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { changeSystemLlm } from '@assay/shared/llm/llm.ts'
import { Paper } from '@assay/shared/papers.ts'
import { ReadingModel } from '../../server/src/records/submissions/reading.model.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { buildAssignment, buildPerson, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'

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

/** A fake LLM in a separate process, so that its CPU time is not counted. */
async function startSlowLlm(latencyMs: number): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('./slow-llm.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the fake LLM did not start: ${output}`)))
  })
  return { child, url }
}

const MARK = '7777'

/** Inserts papers that count as read already, each with different words, directly into the database. */
async function buildReadPapers(api: Api, instructor: Person, count: number): Promise<number> {
  const bytes = await drawPaper({ full_name: 'Student' }, [
    `Ice is less dense than water because its molecules are held apart in a lattice, glass ${MARK}.`,
    'B',
    '144',
  ])
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [{ name: 'first.pdf', bytes }])
  await gradeAssignment(api, instructor, assignmentId)
  const first = await SubmissionModel.findById(submissionIds[0]).lean()
  const read = await ReadingModel.findById(first?.file.hash).lean()
  if (!read) throw new Error('the first paper was not read')
  const words = JSON.stringify(read.paper)
  const ids = await buildManySubmissions(assignmentId, count, { graded: 0 })
  const rows = await SubmissionModel.find({ _id: { $in: ids } }, { file: 1 }).lean()
  for (let from = 0; from < rows.length; from += 200) {
    const readings = rows.slice(from, from + 200).map(({ file }, i) => ({
      ...read,
      _id: file.hash,
      paper: Paper.parse(JSON.parse(words.replaceAll(MARK, String(10_000 + from + i)))),
    }))
    await ReadingModel.insertMany(readings, { lean: true })
  }
  return assignmentId
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
    const admin = await buildPerson('admin')
    const chosen = await api.as(admin).send(changeSystemLlm, {
      body: {
        provider: 'openai-compatible',
        model: 'fake-1',
        base_url: `${model.url}/v1`,
        price: { input: 1, output: 1 },
        monthly_budget: 100_000,
        pictures: false,
        second_opinion: 'never',
        second_model: null,
        second_price: null,
        at_once: concurrency,
        course_budget: null,
        teachers_keys: true,
      },
    })
    if (chosen.status !== 200) throw new Error(`LLM settings refused: ${chosen.text}`)
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
    const counts: unknown = await (await fetch(`${model.url}/control/counts`)).json()
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
    model.child.kill()
  }
}

const none: Memory = { resident: 0, live: 0 }

function memoryNow(): Memory {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { rss, heapUsed } = process.memoryUsage()
  return { resident: rss / 1024 / 1024, live: heapUsed / 1024 / 1024 }
}
