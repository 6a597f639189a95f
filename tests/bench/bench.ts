/**
 * `npm run bench`: measures the product's performance on this machine, prints it with the goals, and writes it as JSON (bench.json, or
 * `BENCH_JSON`). Names select parts: `npm run bench -- courses pages`; `npm run bench -- sheets 5 6` takes these seeds; other names after
 * `pages` or `lighthouse` select pages: `npm run bench -- pages submissions`; one after `upgrade` is the revision to upgrade from.
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
import { BenchReport } from './bench-report.ts'
import { reportLighthouse, reportPages } from './pages/report-pages.ts'
import { reportPhotos } from './photos.ts'
import { growth, jobs, peak, reading, scans, sockets, store, week } from './process-parts.ts'
import { courses, grading, launches, llm, questions, rosters, scores } from './server-parts.ts'
import { reportUpgrade } from './upgrade/report-upgrade.ts'

const names = process.argv.slice(2)
const report = new BenchReport()

type ServerPart = (report: BenchReport, running: RunningServer, api: Api, instructor: Person) => Promise<void>

/** With a separate server, stopped at its end. */
const withServer = (part: ServerPart) => async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const environment = { LOG_LEVEL: 'fatal', NODE_ENV: 'development' }
  const clientFolder = fileURLToPath(new URL('../../client/dist', import.meta.url))
  const running = await startTestServer(dataDir, environment, { clientFolder })
  try {
    await part(report, running, createTestApi({ running }), await buildPerson('instructor'))
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** In the order they run. */
const parts: Record<string, () => Promise<void>> = {
  reading: () => reading(report),
  scans: () => scans(report),
  photos: () => reportPhotos(report),
  sheets: () => reportAnswerSheets(report, seeds.length > 0 ? seeds : [101, 102]),
  grading: withServer(grading),
  questions: withServer(questions),
  model: withServer(llm),
  courses: withServer(courses),
  launches: withServer(launches),
  scores: withServer(scores),
  rosters: withServer(rosters),
  sockets: () => sockets(report),
  pages: withServer((_, running, api) => reportPages(report, running, api, pageNames)),
  lighthouse: withServer((_, running, api) => reportLighthouse(report, running, api, pageNames)),
  store: () => store(report),
  jobs: () => jobs(report),
  growth: () => growth(report),
  week: () => week(report),
  peak: () => peak(report),
  upgrade: () => reportUpgrade(report, names[names.indexOf('upgrade') + 1] ?? null),
}
/** Numbers after `sheets` are seeds. */
const seeds = names.filter((name) => /^\d+$/.test(name)).map(Number)
const pageNames = names.filter((name) => !/^\d+$/.test(name) && !(name in parts))

/** Needs the git history. */
const ONLY_WHERE_NAMED = ['upgrade']

for (const [name, run] of Object.entries(parts)) {
  if (names.length === 0 ? ONLY_WHERE_NAMED.includes(name) : !names.includes(name)) continue
  report.startPart(name)
  await run()
}
report.printSummary()
report.writeJson(process.env.BENCH_JSON ?? 'bench.json')
