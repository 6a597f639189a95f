import { type ChildProcess, spawn } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { changeSystemLlm } from '@assay/shared/llm.ts'
import { Paper } from '@assay/shared/papers.ts'
import { ReadingModel } from '../../server/src/records/submissions/reading.model.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { buildAssignment, buildPerson, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'

/** In MB: all that is resident, and what is in use once the garbage is out. */
interface Memory {
  resident: number
  live: number
}

export interface ThroughputCost {
  papers: number
  atOnce: number
  answersInMs: number
  /** From the first question on, against every place being full all the time: 1 is ideal. */
  share: number
  /** The same from the press of the button on: matching, laying out and fixing the class count too. */
  shareInAll: number
  secondsAtBest: number
  seconds: number
  /** Of the serving process, with a tenth, half and all of the papers graded. */
  memory: [Memory, Memory, Memory]
  /** Event-loop delay of the serving process while it grades, in ms. */
  delayP99: number
  mostAtOnce: number
  /** CPU of the serving process, database and offline cross-check included, in ms a paper. */
  cpuMs: number
}

/** A fake model in a process of its own, so that its work is not the product's. */
async function startSlowLlm(latencyMs: number): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('./slow-llm.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the fake model did not start: ${said}`)))
  })
  return { child, url }
}

const MARK = '7777'

/** Papers that were read already, each with words of its own, put straight into the database. */
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

/** A class graded by a model that takes its time, as its teacher would. */
export async function measureThroughput(
  { services }: RunningServer,
  api: Api,
  instructor: Person,
  { papers = 1000, atOnce = 20, answersInMs = 1000 } = {},
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
        at_once: atOnce,
        course_budget: null,
        teachers_keys: true,
      },
    })
    if (chosen.status !== 200) throw new Error(`no model: ${chosen.text}`)
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const memory: Memory[] = []
    let gradingSince = 0
    let cpu = process.cpuUsage()
    services.events.on('run_changed', ({ payload }) => {
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
    const secondsAtBest = ((papers / atOnce) * answersInMs) / 1000
    const seconds = (ended - gradingSince) / 1000
    const counts: unknown = await (await fetch(`${model.url}/control/counts`)).json()
    const most = counts && typeof counts === 'object' && 'most_at_once' in counts ? counts.most_at_once : 0
    return {
      papers,
      atOnce,
      answersInMs,
      share: secondsAtBest / seconds,
      shareInAll: secondsAtBest / ((ended - began) / 1000),
      secondsAtBest,
      seconds,
      memory: [memory[0] ?? none, memory[1] ?? none, memoryNow()],
      // The monitor counts its own tick of 5 ms as delay.
      delayP99: delay.percentile(99) / 1e6 - 5,
      mostAtOnce: Number(most),
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
