/**
 * `npm run bench`: measures performance against the goals, and writes bench.json (or `BENCH_JSON`). Names select parts:
 * `npm run bench -- courses pages`; other names after `pages` select pages.
 */
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '../../server/src/start.ts'
import { buildPerson } from '../../server/src/testing/build-course.ts'
import { type Api, createTestApi, type Person, startTestServer } from '../../server/src/testing/server.ts'
import { BenchReport, inFolder } from './bench-report.ts'
import { busy, fairness } from './busy-reading.ts'
import { courses } from './course-reads.ts'
import { grading } from './grading.ts'
import { launch } from './launch-page.ts'
import { llm } from './llm-throughput.ts'
import { reportPages } from './pages/report-pages.ts'
import { peak } from './peak-load.ts'
import { reading } from './reading.ts'
import { store } from './store.ts'

const names = process.argv.slice(2)
const report = new BenchReport()

type ServerPart = (report: BenchReport, running: RunningServer, api: Api, instructor: Person) => Promise<void>

const withServer = (part: ServerPart) => () =>
  inFolder('server', async (dataDir) => {
    // With a setting of its own it takes nothing from the tests' cache of readings.
    const environment = { LOG_LEVEL: 'fatal', NODE_ENV: 'development', READING_PROCESSES: '2' }
    const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))
    const running = await startTestServer(dataDir, environment, { clientFolder })
    try {
      await part(report, running, createTestApi({ running }), await buildPerson('instructor'))
    } finally {
      await running.stop()
    }
  })

const parts: Record<string, () => Promise<void>> = {
  reading: () => reading(report),
  grading: withServer(grading),
  busy: withServer(busy),
  fairness: withServer(fairness),
  model: withServer(llm),
  courses: withServer(courses),
  launch: () => launch(report),
  pages: withServer((_, running, api) => reportPages(report, running, api, pageNames)),
  store: () => store(report),
  peak: () => peak(report),
}
const pageNames = names.filter((name) => !(name in parts))

for (const [name, run] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue
  report.startPart(name)
  await run()
}
report.printSummary()
report.writeJson(process.env.BENCH_JSON ?? 'bench.json')
