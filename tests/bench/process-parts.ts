import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchReport } from './bench-report.ts'
import { measureBullmq } from './bullmq-throughput.ts'
import { measureClassScans } from './class-scans.ts'
import { simulateExamWeek } from './exam-week.ts'
import { measureJobs } from './job-throughput.ts'
import { formatLargeClassScan, measureLargeClassScan } from './large-class-scan.ts'
import { measureLongExam } from './long-exam.ts'
import { measurePeak } from './peak-load.ts'
import { examWeek, predictBacklog } from './queue-model.ts'
import { measureReading } from './reading.ts'
import { formatSkewedScans, measureSkewedScans } from './skewed-scans.ts'
import { measureFlood } from './socket-flood.ts'
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
  heading('Printed papers scanned in grey, as JPEG')
  text(formatSkewedScans(await measureSkewedScans()))
  heading('Scans of classes of 40 with 4 pages each, split into papers over HTTP')
  text('goals: none wrong and unasked; without codes at least 97 % right unasked')
  await measureClassScans(text)
  heading('The largest class scan')
  for (const line of formatLargeClassScan(await measureLargeClassScan())) text(line)
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

export async function sockets({ heading, result }: BenchReport) {
  const cost = await measureFlood()
  heading(`Websockets that send ${cost.packets.toLocaleString('en')} packets in 8 s, on this machine as well`)
  result('health check before, longest', `${cost.healthBefore.toFixed(0)} ms`)
  result('health check meanwhile, longest', `${cost.health.toFixed(0)} ms`, 'goal: under 250 ms')
  result('growth of memory', `${cost.megabytes.toFixed(0)} MB`, 'goal: under 100 MB')
}

export async function peak({ heading, result }: BenchReport) {
  const minutes = Number(process.env.PEAK_MINUTES ?? 1)
  const { sockets, statuses, reads, handIns, megabytes } = await inFolder('peak', (folder) =>
    measurePeak(folder, minutes),
  )
  heading(`200 papers of 5 MB handed in within a minute, 50 teachers, ${sockets} sockets, ${minutes} minutes`)
  result(
    'answers by status',
    [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
    'goal: 2xx, 429, 503',
  )
  result('a read: median', `${quantile(reads, 0.5).toFixed(0)} ms`)
  result('a read: p95', `${quantile(reads, 0.95).toFixed(0)} ms`, 'goal: under 300 ms')
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
  const [one, eight] = await measureBullmq()
  heading('The same jobs by BullMQ, on a Redis that syncs each write')
  result('one process: jobs per second', (one?.perSecond ?? 0).toFixed(0))
  result('8 processes: jobs per second', (eight?.perSecond ?? 0).toFixed(0))
  const ours = results.find(({ claimers, killed }) => claimers === 8 && killed === 0)
  result('8 processes: BullMQ / ours', `${((eight?.perSecond ?? 0) / (ours?.perSecond ?? 1)).toFixed(1)}×`)
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
  heading('A class graded by an LLM of 1,000 ms latency, 20 papers at once in each worker')
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

export async function week({ heading, result }: BenchReport) {
  const { classes, papers, perSecond, delay, measured, predicted } = await inFolder('week', simulateExamWeek)
  heading(`An exam week in minutes: ${classes} classes, ${papers} papers, an LLM of 1,000 ms latency, one worker`)
  result('papers graded a second, one class alone', perSecond.toFixed(1))
  result('a paper alone', `${delay.toFixed(1)} s`)
  for (const [what, share] of [
    ['median', 0.5],
    ['longest', 1],
  ] as const) {
    const [took, said] = [quantile(measured, share), quantile(predicted, share)]
    const ratio = took / said
    result(
      `until a class is graded, ${what}`,
      `${took.toFixed(1)} s`,
      `${ratio.toFixed(2)}× the model’s ${said.toFixed(1)} s`,
    )
  }
  const off = measured.map((took, i) => Math.abs(took - (predicted[i] ?? 0)) / Math.max(took, predicted[i] ?? 0))
  result(
    'a class’s time and the model’s differ by, median',
    `${(100 * quantile(off, 0.5)).toFixed(0)} %`,
    'goal: at most 20 %',
  )

  heading(`What ${STUDENTS.toLocaleString('en')} students need, by the model: two papers of four pages each in a week`)
  const perHour = examWeek().map((share) => 2 * STUDENTS * share)
  for (const { kind, seconds, workers } of WORKERS_TRIED) {
    const { papers: most, longestWait, use } = predictBacklog(perHour, (workers * 3600) / seconds)
    const waits = longestWait < 1 ? `${(60 * longestWait).toFixed(0)} min` : `${longestWait.toFixed(1)} h`
    const who = workers === 1 ? 'one core' : `${workers} cores`
    result(
      `${kind}, ${who} reading: longest wait`,
      waits,
      `${most.toFixed(0)} waiting; ${(100 * use).toFixed(0)} % used`,
    )
  }
}

const STUDENTS = 40_000
/** Seconds of a core for a paper of four pages, read and graded: see docs/performance.md. */
const TYPED_SECONDS = 0.3
const SCANNED_SECONDS = 8
const WORKERS_TRIED = [
  ...[1, 2].map((workers) => ({ kind: 'typed', seconds: TYPED_SECONDS, workers })),
  ...[4, 8, 16, 32].map((workers) => ({ kind: 'scanned', seconds: SCANNED_SECONDS, workers })),
]
