import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchReport } from './bench-report.ts'
import { measureClassScans } from './class-scans.ts'
import { measureJobs } from './job-throughput.ts'
import { measureLongExam } from './long-exam.ts'
import { measurePeak } from './peak-load.ts'
import { measureReading } from './reading.ts'
import { readsBesideLongCommands } from './store.ts'
import { measureStoreMemory } from './store-memory.ts'
import { measureWorkerGrowth } from './worker-growth.ts'

// The parts of `npm run bench` that start what they need.

export async function reading({ heading, result }: BenchReport) {
  const cost = await measureReading()
  heading(`Reading ${cost.pages} pages of ${cost.files} born-digital papers`)
  result('CPU per page', `${cost.assaySteady.toFixed(2)} ms`)
  result('CPU per page, including start-up', `${cost.assay.toFixed(2)} ms`)
  if (cost.poppler !== null && cost.ratio !== null) {
    result('pdftotext -bbox-layout', `${cost.poppler.toFixed(2)} ms`)
    result('ratio', `${cost.ratio.toFixed(2)}×`, 'goal: at most 2.5×')
  }
  const exam = await measureLongExam()
  heading(`A read exam of ${exam.pages} pages with ${exam.parts} parts, CPU beyond reading the PDFs`)
  result('rubric, the first time', `${exam.firstRubric.toFixed(0)} ms`)
  result('rubric', `${exam.rubric.toFixed(0)} ms`)
  result(`answers of a paper, ${exam.found} as written`, `${exam.extraction.toFixed(0)} ms`)
  result('rubric and answers', `${(exam.rubric + exam.extraction).toFixed(0)} ms`, 'goal: under 150 ms')
}

export async function scans({ heading, text }: BenchReport) {
  heading('Scans of classes of 40 with 4 pages each, split into papers over HTTP')
  text('goals: none wrong and unasked; without codes at least 97 % right unasked')
  await measureClassScans(text)
}

export async function store({ heading, result, text }: BenchReport) {
  heading('The embedded database with a million small submissions')
  text('goals: under 500 MB; the file shrinks')
  await measureStoreMemory(({ name, seconds, peakMegabytes, fileMegabytes }) =>
    result(name, `${seconds.toFixed(1)} s`, `peak ${peakMegabytes.toFixed(0)} MB, file ${fileMegabytes.toFixed(0)} MB`),
  )
  heading('Reads of others beside long commands; goal: p99 under 50 ms')
  for (const { command, seconds, reads, p50, p99, slowest } of await readsBesideLongCommands()) {
    const times = [p50, p99, slowest].map((ms) => `${ms.toFixed(1)} ms`).join(' / ')
    result(command, `${seconds.toFixed(1)} s`, `${reads} reads, median / p99 / slowest ${times}`)
  }
}

export async function peak({ heading, result }: BenchReport) {
  const minutes = Number(process.env.PEAK_MINUTES ?? 1)
  const { sockets, statuses, reads, laterReads, handIns, megabytes } = await inFolder('peak', (folder) =>
    measurePeak(folder, minutes),
  )
  heading(`200 papers of 5 MB handed in within a minute, 50 teachers, ${sockets} sockets, ${minutes} minutes`)
  result(
    'answers by status',
    [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
    'goal: 2xx, 429, 503',
  )
  const readTimes = (when: string, all: number[]) => {
    result(`a read ${when}: median`, `${quantile(all, 0.5).toFixed(0)} ms`)
    result(`a read ${when}: p95`, `${quantile(all, 0.95).toFixed(0)} ms`, 'goal: under 300 ms')
  }
  readTimes('in the minute of the hand-ins', reads)
  if (laterReads.length > 0) readTimes('afterwards', laterReads)
  result('a hand-in: median / longest', `${quantile(handIns, 0.5).toFixed(0)} / ${quantile(handIns, 1).toFixed(0)} ms`)
  result('memory of the server by minute', `${megabytes.map((one) => one.toFixed(0)).join(', ')} MB`, 'goal: flat')
}

export async function jobs({ heading, result }: BenchReport) {
  const { database, results } = await measureJobs()
  heading(`Jobs that do nothing, claimed from ${database}`)
  for (const { claimers, killed, perSecond, lost, twice, again } of results) {
    const who = claimers === 1 ? 'one process' : `${claimers} processes${killed ? `, ${killed} of them killed` : ''}`
    const goal = killed > 0 ? `${again} begun again after the kill` : claimers > 1 ? 'goal: at least 500/s' : ''
    result(`${who}: jobs per second`, perSecond.toFixed(0), goal)
    result('lost / run twice', `${lost} / ${twice}`, 'goal: 0 / 0')
  }
}

/** Removed at the end. */
async function inFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `assay-${name}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function growth({ heading, result }: BenchReport) {
  const measured = await inFolder('growth', measureWorkerGrowth)
  heading('A class graded by an LLM of 1,000 ms latency, 4 papers at once in each worker')
  const [one] = measured
  for (const { workers, papers, seconds, perSecond } of measured) {
    const times = perSecond / (one?.perSecond ?? 1)
    const ofRun = (one?.seconds ?? 1) / seconds
    const who = workers === 1 ? 'one worker' : `${workers} workers`
    const goal = workers === 4 ? `${times.toFixed(2)}×, goal: at least 3.8×` : `${times.toFixed(2)}×`
    result(`${who}: papers a second`, perSecond.toFixed(1), goal)
    result(`${who}: ${papers} papers, from start to end`, `${seconds.toFixed(1)} s`, `${ofRun.toFixed(2)}×`)
  }
}

const quantile = (all: readonly number[], share: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0
