/**
 * `npm run bench`: what the product costs, measured in one run on this machine. Goals are printed beside. With names only
 * those parts: `npm run bench -- courses pages`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Running } from '../../server/src/start.ts'
import { type Api, apiOf, type Person } from '../../server/src/testing/api.ts'
import { buildAssignment, buildPerson } from '../../server/src/testing/build.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { measureReads } from './api-reads.ts'
import { ASSIGNMENTS, LARGE, measureCourses, SMALL } from './course-reads.ts'
import { measureFirstRow } from './first-row.ts'
import { measureGrading } from './grading.ts'
import { measurePages } from './lighthouse.ts'
import { measureReading } from './reading.ts'

const show = (what: string, value: string, goal = '') =>
  console.log(`${what.padEnd(58)} ${value.padStart(14)}  ${goal}`)

const names = process.argv.slice(2)
const wanted = (name: 'reading' | 'grading' | 'courses' | 'pages') =>
  names.length === 0 || names.includes(name)

/** A product of its own for a part, gone when that ends. */
async function withServer(work: (running: Running, api: Api, instructor: Person) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const environment = { LOG_LEVEL: 'fatal', NODE_ENV: 'development' }
  const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))
  const running = await startTestServer(dataDir, environment, { clientFolder })
  try {
    await work(running, apiOf({ running }), await buildPerson('instructor'))
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function reading() {
  const cost = await measureReading()
  console.log(`\nReading ${cost.pages} pages of ${cost.files} born-digital papers`)
  show('CPU a page', `${cost.assaySteady.toFixed(2)} ms`)
  show('CPU a page, start-up included', `${cost.assay.toFixed(2)} ms`)
  if (cost.poppler !== null && cost.ratio !== null) {
    show('pdftotext -bbox-layout', `${cost.poppler.toFixed(2)} ms`)
    show('ratio', `${cost.ratio.toFixed(2)}×`, 'goal: at most 2.5×')
  }
}

async function grading(running: Running, api: Api, instructor: Person) {
  const cost = await measureGrading(running, api, instructor)
  console.log(`\nGrading ${cost.papers} papers of ${cost.pagesEach} pages offline, through the product`)
  show('papers read and graded a second', cost.papersASecond.toFixed(1))
  show('papers graded a second, once read', cost.gradedASecond.toFixed(1))
  show('peak memory of the process tree', `${cost.peakMegabytes.toFixed(0)} MB`, 'goal: under 2,048 MB')
  show('event-loop delay, p99', `${cost.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
  show('event-loop delay, longest', `${cost.delayMax.toFixed(1)} ms`)

  const token = (await api.as(instructor).token()) ?? ''
  console.log('\nReads over HTTP against a bare Express route over the same collection')
  for (const { what, ours, bare, ratio } of await measureReads(running.url, token, cost.assignmentId)) {
    show(`${what}: ours / bare`, `${ours.toFixed(0)} / ${bare.toFixed(0)} req/s`)
    show('ratio of times', `${ratio.toFixed(2)}×`, 'goal: at most 2×')
  }
}

async function courses(running: Running, api: Api, instructor: Person) {
  const { costs } = await measureCourses(running.url, api, instructor)
  console.log(`\nA course of ${SMALL} and one of ${LARGE} students, ${ASSIGNMENTS} assignments each`)
  for (const { what, small, large, growth, goal } of costs) {
    const figures = `${small.toFixed(1)} / ${large.toFixed(1)} ms`
    show(what, figures, `${growth.toFixed(1)}×${goal === null ? '' : `, goal: at most ${goal}×`}`)
  }
}

const ROWS = 10_000

async function pages(running: Running, api: Api, instructor: Person) {
  const token = (await api.as(instructor).token()) ?? ''
  const { assignmentId } = await buildAssignment(api, { instructor }, [])
  console.log('\nPages in Chromium')
  const path = `/assignments/${assignmentId}/submissions`
  show(
    `first row of ${ROWS} submissions`,
    `${(await measureFirstRow(running.url, token, assignmentId, ROWS)).toFixed(0)} ms`,
  )
  const scores = await measurePages(running.url, [
    { path: '/', token: null },
    { path: '/dashboard', token },
    { path, token },
  ])
  for (const score of scores) {
    show(`Lighthouse on ${score.path}: performance`, String(score.performance), 'goal: at least 95')
    show('accessibility', String(score.accessibility), `goal: 100 ${score.problems.join(', ')}`)
  }
}

if (wanted('reading')) await reading()
if (wanted('grading')) await withServer(grading)
if (wanted('courses')) await withServer(courses)
if (wanted('pages')) await withServer(pages)
