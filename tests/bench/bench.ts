/** `npm run bench`: what the product costs, measured in one run on this machine. Goals are printed beside. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiOf } from '../../server/src/testing/api.ts'
import { buildPerson } from '../../server/src/testing/build.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { measureReads } from './api-reads.ts'
import { measureGrading } from './grading.ts'
import { measureReading } from './reading.ts'

const show = (what: string, value: string, goal = '') =>
  console.log(`${what.padEnd(58)} ${value.padStart(14)}  ${goal}`)

const reading = await measureReading()
console.log(`\nReading ${reading.pages} pages of ${reading.files} born-digital papers`)
show('CPU a page', `${reading.assaySteady.toFixed(2)} ms`)
show('CPU a page, start-up included', `${reading.assay.toFixed(2)} ms`)
if (reading.poppler !== null && reading.ratio !== null) {
  show('pdftotext -bbox-layout', `${reading.poppler.toFixed(2)} ms`)
  show('ratio', `${reading.ratio.toFixed(2)}×`, 'goal: at most 2.5×')
}

const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
const running = await startTestServer(dataDir, { LOG_LEVEL: 'fatal', NODE_ENV: 'development' })
try {
  const api = apiOf({ running })
  const instructor = await buildPerson('instructor')
  const grading = await measureGrading(running, api, instructor)
  console.log(`\nGrading ${grading.papers} papers of ${grading.pagesEach} pages offline, through the product`)
  show('papers read and graded a second', grading.papersASecond.toFixed(1))
  show('papers graded a second, once read', grading.gradedASecond.toFixed(1))
  show('peak memory of the process tree', `${grading.peakMegabytes.toFixed(0)} MB`, 'goal: under 2,048 MB')
  show('event-loop delay, p99', `${grading.delayP99.toFixed(1)} ms`, 'goal: under 50 ms')
  show('event-loop delay, longest', `${grading.delayMax.toFixed(1)} ms`)

  const { assignmentId } = grading
  const token = (await api.as(instructor).token()) ?? ''
  console.log('\nReads over HTTP against a bare Express route over the same collection')
  for (const cost of await measureReads(running.url, token, assignmentId)) {
    show(`${cost.what}: ours / bare`, `${cost.ours.toFixed(0)} / ${cost.bare.toFixed(0)} req/s`)
    show('ratio of times', `${cost.ratio.toFixed(2)}×`, 'goal: at most 2×')
  }
} finally {
  await running.stop()
  await rm(dataDir, { recursive: true, force: true })
}
