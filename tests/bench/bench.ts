/**
 * `npm run bench`: measures the product's performance on this machine and prints the goals with it. Names select parts:
 * `npm run bench -- courses pages`; `npm run bench -- sheets 5 6` takes these seeds; other names after `pages` or `lighthouse` select pages: `npm run bench -- pages submissions`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '../../server/src/start.ts'
import { type Api, createTestApi, type Person } from '../../server/src/testing/api.ts'
import { buildPerson } from '../../server/src/testing/build-course.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { reportAnswerSheets } from './answer-sheets.ts'
import { measureReads } from './api-reads.ts'
import { measureClassScans } from './class-scans.ts'
import { ASSIGNMENTS, LARGE, measureCourses, SMALL } from './course-reads.ts'
import { measureGrading } from './grading.ts'
import { measureJobs } from './job-throughput.ts'
import { formatLargeClassScan, measureLargeClassScan } from './large-class-scan.ts'
import { measureThroughput } from './llm-throughput.ts'
import { measureLaunches } from './lms-launches.ts'
import { measureLongExam } from './long-exam.ts'
import { reportLighthouse, reportPages } from './pages/report-pages.ts'
import { measurePeak } from './peak-load.ts'
import { reportPhotos } from './photos.ts'
import { ANSWERS, DECIDED, measureQuestion, seedLargeQuestion } from './question-decisions.ts'
import { measureQuestionScreen } from './question-in-browser.ts'
import { measureReading } from './reading.ts'
import { measureRoster } from './roster-sync.ts'
import { measureScores } from './score-sending.ts'
import { formatSkewedScans, measureSkewedScans } from './skewed-scans.ts'
import { measureFlood } from './socket-flood.ts'
import { readsBesideLongCommands } from './store.ts'
import { measureStoreMemory } from './store-memory.ts'

const printResult = (what: string, value: string, goal = '') =>
  console.log(`${what.padEnd(58)} ${value.padStart(14)}  ${goal}`)

const names = process.argv.slice(2)
const parts = [
  'reading',
  'scans',
  'photos',
  'sheets',
  'grading',
  'questions',
  'model',
  'courses',
  'launches',
  'scores',
  'rosters',
  'sockets',
  'pages',
  'lighthouse',
  'store',
  'jobs',
  'peak',
] as const
/** Numbers after `sheets` are seeds. */
const seeds = names.filter((name) => /^\d+$/.test(name)).map(Number)
const pageNames = names.filter((name) => !/^\d+$/.test(name) && !parts.some((part) => part === name))
const isSelected = (name: (typeof parts)[number]) => names.length === 0 || names.includes(name)

/** A separate server for a part, stopped at its end. */
async function withServer(work: (running: RunningServer, api: Api, instructor: Person) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const environment = { LOG_LEVEL: 'fatal', NODE_ENV: 'development' }
  const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))
  const running = await startTestServer(dataDir, environment, { clientFolder })
  try {
    await work(running, createTestApi({ running }), await buildPerson('instructor'))
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function reading() {
  const cost = await measureReading()
  console.log(`\nReading ${cost.pages} pages of ${cost.files} born-digital papers`)
  printResult('CPU per page', `${cost.assaySteady.toFixed(2)} ms`)
  printResult('CPU per page, including start-up', `${cost.assay.toFixed(2)} ms`)
  if (cost.poppler !== null && cost.ratio !== null) {
    printResult('pdftotext -bbox-layout', `${cost.poppler.toFixed(2)} ms`)
    printResult('ratio', `${cost.ratio.toFixed(2)}×`, 'goal: at most 2.5×')
  }
  const exam = await measureLongExam()
  console.log(`\nA read exam of ${exam.pages} pages with ${exam.parts} parts, CPU beyond reading the PDFs`)
  printResult('rubric, the first time', `${exam.firstRubric.toFixed(0)} ms`)
  printResult('rubric', `${exam.rubric.toFixed(0)} ms`)
  printResult(`answers of a paper, ${exam.found} as written`, `${exam.extraction.toFixed(0)} ms`)
  printResult('rubric and answers', `${(exam.rubric + exam.extraction).toFixed(0)} ms`, 'goal: under 150 ms')
}

async function scans() {
  console.log('\nPrinted papers scanned in grey, as JPEG')
  console.log(formatSkewedScans(await measureSkewedScans()))
  console.log('\nScans of classes of 40 with 4 pages each, split into papers over HTTP')
  console.log('goals: none wrong and unasked; without codes at least 97 % right unasked')
  await measureClassScans(console.log)
  console.log('\nThe largest class scan')
  for (const line of formatLargeClassScan(await measureLargeClassScan())) console.log(line)
}

async function grading(running: RunningServer, api: Api, instructor: Person) {
  const cost = await measureGrading(running, api, instructor)
  console.log(`\nGrading ${cost.papers} papers of ${cost.pagesEach} pages offline, through the product`)
  printResult('papers read and graded per second', cost.papersPerSecond.toFixed(1))
  printResult('papers graded per second, after reading', cost.gradedPerSecond.toFixed(1))
  printResult('peak memory of the process tree', `${cost.peakMegabytes.toFixed(0)} MB`, 'goal: under 2,048 MB')
  printResult('event-loop delay, p99', `${cost.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
  printResult('event-loop delay, longest', `${cost.delayMax.toFixed(1)} ms`)

  const token = (await api.as(instructor).token()) ?? ''
  console.log('\nReads over HTTP against a bare Express route over the same collection')
  for (const { what, ours, bare, ratio } of await measureReads(running.url, token, cost.assignmentId)) {
    printResult(`${what}: ours / bare`, `${ours.toFixed(0)} / ${bare.toFixed(0)} req/s`)
    printResult('ratio of times', `${ratio.toFixed(2)}×`, 'goal: at most 2×')
  }
}

async function store() {
  console.log('\nThe embedded database with a million small submissions')
  console.log('goals: under 500 MB; the file shrinks')
  await measureStoreMemory(({ name, seconds, peakMegabytes, fileMegabytes }) =>
    printResult(
      name,
      `${seconds.toFixed(1)} s`,
      `peak ${peakMegabytes.toFixed(0)} MB, file ${fileMegabytes.toFixed(0)} MB`,
    ),
  )
  console.log('Reads of others beside long commands; goal: p99 under 50 ms')
  for (const { command, seconds, reads, p50, p99, slowest } of await readsBesideLongCommands()) {
    const times = [p50, p99, slowest].map((ms) => `${ms.toFixed(1)} ms`).join(' / ')
    printResult(command, `${seconds.toFixed(1)} s`, `${reads} reads, median / p99 / slowest ${times}`)
  }
}

async function questions(running: RunningServer, api: Api, instructor: Person) {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const large = await seedLargeQuestion(api, instructor)
  const screen = await measureQuestionScreen(running.url, (await api.as(instructor).token()) ?? '', large)
  console.log(`\nOne question with ${ANSWERS} answers, in Chromium`)
  printResult('first answer drawn', ms(screen.firstAnswer), 'goal: under 1,000 ms')
  const { scrolling } = screen
  printResult('scrolling the groups: longest task', ms(scrolling.longestTask), 'goal: under 50 ms')
  printResult('between frames, median / longest', `${ms(scrolling.median)} / ${ms(scrolling.longest)}`)
  const { nextGroup } = screen
  const drawn = `${ms(nextGroup.median)} / ${ms(nextGroup.longest)}`
  printResult('next group by key, until drawn, median / longest', drawn, 'goal: under 100 ms')
  printResult(`${DECIDED} answers decided by key, shown`, ms(screen.shown), 'goal: under 2,000 ms')
  printResult('and stored', ms(screen.stored), 'goal: under 2,000 ms')
  printResult('longest task meanwhile', ms(screen.deciding))
  const cost = await measureQuestion(api, instructor, large)
  console.log('The same over HTTP')
  printResult('projected at the end of a run', ms(large.firstOpen))
  printResult(`opened, ${large.megabytes.toFixed(1)} MB`, ms(large.open), 'goal: under 1,000 ms')
  printResult(`${DECIDED} answers decided, stored`, `${cost.decide.toFixed(0)} ms`, 'goal: under 2,000 ms')
  printResult('loaded again by others', `${cost.loadDecided.toFixed(0)} ms`)
  printResult('a rubric item given', `${cost.giveItem.toFixed(0)} ms`)
  printResult('and changed in all of them', `${cost.changeItem.toFixed(0)} ms`)
}

async function llm(running: RunningServer, api: Api, instructor: Person) {
  const cost = await measureThroughput(running, api, instructor)
  console.log(
    `\nGrading ${cost.papers} read papers with an LLM of ${cost.answersInMs} ms latency, concurrency ${cost.concurrency}`,
  )
  printResult(
    'from the first request to the last grade',
    `${cost.seconds.toFixed(1)} s`,
    `${cost.idealSeconds.toFixed(1)} s at best`,
  )
  printResult('share of the ideal throughput', `${(100 * cost.share).toFixed(1)} %`, 'goal: at least 95 %')
  printResult('the same, from the start of the run', `${(100 * cost.shareOfRun).toFixed(1)} %`)
  printResult('peak concurrency of requests', String(cost.peakConcurrency))
  printResult('CPU per paper', `${cost.cpuMs.toFixed(1)} ms`)
  const row = (of: 'resident' | 'live') => `${cost.memory.map((one) => one[of].toFixed(0)).join(' / ')} MB`
  printResult('memory in use with a tenth, half and all graded', row('live'), 'goal: flat')
  printResult('the same, resident', row('resident'))
  printResult('event-loop delay, p99', `${cost.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
}

async function courses(running: RunningServer, api: Api, instructor: Person) {
  const { costs } = await measureCourses(running.url, api, instructor)
  console.log(`\nA course of ${SMALL} and one of ${LARGE} students, ${ASSIGNMENTS} assignments each`)
  for (const { what, small, large, growth, goal } of costs) {
    const figures = `${small.toFixed(1)} / ${large.toFixed(1)} ms`
    printResult(what, figures, `${growth.toFixed(1)}×${goal === null ? '' : `, goal: at most ${goal}×`}`)
  }
}

async function launches(running: RunningServer) {
  const { ours, bare, ...cost } = await measureLaunches(running)
  console.log(`\n${cost.launches} launches from an LMS, against a bare ltijs tool over the same database`)
  const goal = 'goal: at most 1.5×'
  const times = (a: number, b: number) => `${(a / b).toFixed(2)}×`
  for (const { what, p50, p95, cpu, perSecond } of ours) {
    console.log(`into ${what}: ours / bare`)
    printResult('launch, p50', `${p50.toFixed(1)} / ${bare.p50.toFixed(1)} ms`, times(p50, bare.p50))
    printResult('launch, p95', `${p95.toFixed(1)} / ${bare.p95.toFixed(1)} ms`, `${times(p95, bare.p95)}, ${goal}`)
    printResult(
      `launches per second, concurrency ${cost.concurrency}`,
      `${perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)}`,
      `${times(bare.perSecond, perSecond)}, ${goal}`,
    )
    printResult(
      'CPU per launch, including the LMS’s',
      `${cpu.toFixed(1)} / ${bare.cpu.toFixed(1)} ms`,
      times(cpu, bare.cpu),
    )
  }
}

async function scores(running: RunningServer, api: Api) {
  const cost = await measureScores(running, api)
  console.log(`\n${cost.scores} scores to an LMS with ${cost.answersInMs} ms latency`)
  printResult('until the last one is in the LMS', `${cost.seconds.toFixed(1)} s`, `${cost.atBest.toFixed(1)} s at best`)
  printResult('scores per second', cost.perSecond.toFixed(1))
  printResult('until a score is in the LMS, p50 / p95', `${cost.p50.toFixed(1)} / ${cost.p95.toFixed(1)} s`)
  printResult('requests in total', String(cost.calls))
}

async function rosters(running: RunningServer) {
  const cost = await measureRoster(running)
  console.log(`\nA roster of ${cost.members} from a fake LMS, 50 per page`)
  printResult('first sync, all members new', `${cost.first.toFixed(1)} s`, 'goal: under 60 s')
  printResult('second sync, no changes', `${cost.again.toFixed(1)} s`, 'goal: under 30 s')
  const memory = `${cost.megabytesBefore.toFixed(0)} / ${cost.peakMegabytes.toFixed(0)} MB`
  printResult('memory of the process tree: before / peak', memory)
}

async function sockets() {
  const cost = await measureFlood()
  console.log(`\nWebsockets that send ${cost.packets.toLocaleString('en')} packets in 8 s, on this machine as well`)
  printResult('health check before, longest', `${cost.healthBefore.toFixed(0)} ms`)
  printResult('health check meanwhile, longest', `${cost.health.toFixed(0)} ms`, 'goal: under 250 ms')
  printResult('growth of memory', `${cost.megabytes.toFixed(0)} MB`, 'goal: under 100 MB')
}

async function peak() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-peak-'))
  try {
    const minutes = Number(process.env.PEAK_MINUTES ?? 1)
    const { sockets, statuses, reads, handIns, megabytes } = await measurePeak(folder, minutes)
    const at = (all: number[], share: number) =>
      all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0
    console.log(`\n200 papers of 5 MB handed in within a minute, 50 teachers, ${sockets} sockets, ${minutes} minutes`)
    printResult(
      'answers by status',
      [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
      'goal: 2xx, 429, 503',
    )
    printResult('a read: median', `${at(reads, 0.5).toFixed(0)} ms`)
    printResult('a read: p95', `${at(reads, 0.95).toFixed(0)} ms`, 'goal: under 300 ms')
    printResult('a hand-in: median / longest', `${at(handIns, 0.5).toFixed(0)} / ${at(handIns, 1).toFixed(0)} ms`)
    printResult(
      'memory of the server by minute',
      `${megabytes.map((one) => one.toFixed(0)).join(', ')} MB`,
      'goal: flat',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function jobs() {
  const { database, results } = await measureJobs()
  console.log(`\nJobs that do nothing, claimed from ${database}`)
  for (const { claimers, killed, perSecond, lost, twice, again } of results) {
    const who = claimers === 1 ? 'one process' : `${claimers} processes${killed ? `, ${killed} of them killed` : ''}`
    const goal = killed > 0 ? `${again} begun again after the kill` : claimers > 1 ? 'goal: at least 500/s' : ''
    printResult(`${who}: jobs per second`, perSecond.toFixed(0), goal)
    printResult('lost / run twice', `${lost} / ${twice}`, 'goal: 0 / 0')
  }
}

if (isSelected('reading')) await reading()
if (isSelected('scans')) await scans()
if (isSelected('photos')) await reportPhotos(printResult)
if (isSelected('sheets')) await reportAnswerSheets(printResult, seeds.length > 0 ? seeds : [101, 102])
if (isSelected('grading')) await withServer(grading)
if (isSelected('questions')) await withServer(questions)
if (isSelected('model')) await withServer(llm)
if (isSelected('courses')) await withServer(courses)
if (isSelected('launches')) await withServer(launches)
if (isSelected('scores')) await withServer(scores)
if (isSelected('rosters')) await withServer(rosters)
if (isSelected('sockets')) await sockets()
if (isSelected('pages')) await withServer((running, api) => reportPages(running, api, pageNames))
if (isSelected('lighthouse')) await withServer((running, api) => reportLighthouse(running, api, pageNames))
if (isSelected('store')) await store()
if (isSelected('jobs')) await jobs()
if (isSelected('peak')) await peak()
