import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import mongoose from 'mongoose'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'
import { openDatabase } from '../../server/src/lib/database/database.ts'
import { JobModel } from '../../server/src/lib/jobs/job.model.ts'
import { JobQueue } from '../../server/src/lib/jobs/job-queue.ts'
import { createLog } from '../../server/src/lib/log.ts'
import { createMetrics } from '../../server/src/lib/metrics/metrics.ts'
import { BENCH_JOB, CLAIMED_AT_ONCE, JOBS } from './bench-job.ts'

const claimerPath = fileURLToPath(new URL('./job-claimer.ts', import.meta.url))

export interface JobThroughput {
  claimers: number
  killed: number
  jobs: number
  perSecond: number
  /** Jobs that ran in no process. */
  lost: number
  /** Jobs that ran again although nobody was killed while at them. */
  twice: number
  /** Jobs that ran in a process that was killed before it had said so, and once more. */
  again: number
}

/**
 * Jobs that do nothing but note that they ran, claimed by processes as workers do: with one, with eight, and with eight of which two are killed.
 * On a MongoDB where MONGODB_URL is set, in a database of its own; else on the embedded store, over its socket.
 */
export async function measureJobs(): Promise<{ database: string; results: JobThroughput[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-jobs-'))
  const embedded = process.env.MONGODB_URL ? null : await startEmbeddedDatabase({ folder: join(folder, 'database') })
  const url = new URL(process.env.MONGODB_URL ?? embedded?.url ?? '')
  url.pathname = `/bench-jobs-${process.pid}`
  await openDatabase(url.href, async () => {})
  try {
    const results: JobThroughput[] = []
    for (const [claimers, killed] of [
      [1, 0],
      [8, 0],
      [8, 2],
    ] as const)
      results.push(await measure(url.href, await mkdtemp(join(folder, 'ran-')), claimers, killed))
    return { database: embedded ? 'the embedded store' : 'MongoDB', results }
  } finally {
    await mongoose.connection.dropDatabase()
    await mongoose.disconnect()
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(url: string, folder: string, claimers: number, killed: number): Promise<JobThroughput> {
  // Adds and does not claim, as a web process.
  const queue = new JobQueue({ pools: { cpu: { max: () => 0 } }, log: createLog('error'), metrics: createMetrics() })
  const rows = Array.from({ length: JOBS }, (_, n) => ({ key: `${n}`, group: 'bench', payload: { n } }))
  await queue.add(BENCH_JOB, rows)
  const files = Array.from({ length: claimers }, (_, i) => join(folder, `${i}`))
  const children = await Promise.all(files.map((file) => startClaimer(url, file)))
  const left = () => JobModel.estimatedDocumentCount()
  const began = performance.now()
  for (const child of children) child.send('begin')
  if (killed > 0) {
    while ((await left()) > JOBS / 2) await after(20)
    for (const child of children.slice(0, killed)) child.kill('SIGKILL')
  }
  while ((await left()) > 0) await after(20)
  const seconds = (performance.now() - began) / 1000
  for (const child of children) if (child.connected) child.disconnect()
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  return { claimers, killed, jobs: JOBS, perSecond: JOBS / seconds, ...countRuns(files, killed) }
}

async function startClaimer(url: string, file: string): Promise<ChildProcess> {
  const child = fork(claimerPath, [url, file], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  await once(child, 'message')
  return child
}

/** @param files what each process ran; the first `killed` of them were */
function countRuns(files: string[], killed: number): Pick<JobThroughput, 'lost' | 'twice' | 'again'> {
  const runs = new Map<number, number[]>()
  files.forEach((file, i) => {
    const text = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    for (const line of text.split('\n').filter(Boolean)) runs.set(Number(line), [...(runs.get(Number(line)) ?? []), i])
  })
  const repeated = [...runs.values()].filter((by) => by.length > 1)
  const excused = repeated.filter((by) => by.filter((i) => i >= killed).length <= 1)
  const allowed = Math.min(excused.length, killed * CLAIMED_AT_ONCE)
  return { lost: JOBS - runs.size, twice: repeated.length - allowed, again: allowed }
}
