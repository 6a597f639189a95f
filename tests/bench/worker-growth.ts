import { setTimeout as sleep } from 'node:timers/promises'
import { processAssignment } from '@assay/shared/runs.ts'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'
import { closeDatabase, openDatabase } from '../../server/src/lib/database/database.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import { buildPerson } from '../../server/src/testing/build-course.ts'
import { startRedis } from '../../server/src/testing/redis-server.ts'
import { type Api, createTestApi } from '../../server/src/testing/server.ts'
import { type ServerProcess, startServerProcess } from '../../server/src/testing/server-process.ts'
import { type BenchReport, inFolder } from './bench-report.ts'
import { buildReadPapers, chooseFakeLlm, startSlowLlm } from './class-for-slow-llm.ts'

/** So that one worker is too few and not too slow. */
const AT_ONCE = 4
const ANSWERS_IN_MS = 1000
const PAPERS = 320

/** With one, two and four workers, each a process. */
export async function growth({ heading, result }: BenchReport) {
  heading(`A class graded by an LLM of ${ANSWERS_IN_MS} ms latency, ${AT_ONCE} papers at once in each worker`)
  let one: Awaited<ReturnType<typeof measure>> | null = null
  for (const workers of [1, 2, 4]) {
    const cost = await inFolder('growth', (folder) => measure(folder, workers))
    one ??= cost
    const times = `${(cost.perSecond / one.perSecond).toFixed(2)}×`
    const who = workers === 1 ? 'one worker' : `${workers} workers`
    const goal = workers === 4 ? `${times}, goal: at least 3.8×` : times
    result(`${who}: papers a second`, cost.perSecond.toFixed(1), goal)
    const ofRun = `${(one.seconds / cost.seconds).toFixed(2)}×`
    result(`${who}: ${PAPERS} papers, from start to end`, `${cost.seconds.toFixed(1)} s`, ofRun)
  }
}

/** Seconds from the request to the last grade, and papers a second in the middle eight tenths. */
async function measure(folder: string, workers: number) {
  return await withProcesses(folder, workers, async (api, llmUrl) => {
    const instructor = await buildPerson('instructor')
    const assignmentId = await buildReadPapers(api, instructor, PAPERS)
    await chooseFakeLlm(api, await buildPerson('admin'), llmUrl, workers * AT_ONCE * 2)
    const graded = () => SubmissionModel.countDocuments({ assignment_id: assignmentId, status: 'graded' })
    const until = async (count: number) => {
      while ((await graded()) < count) await sleep(50)
      return performance.now()
    }
    const began = performance.now()
    const run = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body: {} })
    if (run.status !== 202) throw new Error(`could not start the run: ${run.text}`)
    // The paper that was graded beforehand is among them.
    const tenth = await until(PAPERS / 10 + 1)
    const nineTenths = await until(0.9 * PAPERS + 1)
    const ended = await until(PAPERS + 1)
    return { seconds: (ended - began) / 1000, perSecond: (0.8 * PAPERS) / ((nineTenths - tenth) / 1000) }
  })
}

async function withProcesses<T>(
  folder: string,
  workers: number,
  work: (api: Api, llmUrl: string) => Promise<T>,
): Promise<T> {
  const database = await startEmbeddedDatabase({ folder: `${folder}/database` })
  const redis = await startRedis()
  const llm = await startSlowLlm(ANSWERS_IN_MS)
  const shared = {
    MONGODB_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY: 'the same secret key in every process',
    READING_PROCESSES: '1',
    LOG_LEVEL: 'fatal',
    AI_PAPERS: String(AT_ONCE),
  }
  const running: ServerProcess[] = []
  const start = async (role: string) => {
    const started = await startServerProcess(`${folder}/data`, { ...shared, ROLE: role })
    running.push(started)
    return started
  }
  try {
    const web = await start('web')
    await Promise.all(Array.from({ length: workers }, () => start('worker')))
    await openDatabase(database.url, async () => {})
    return await work(createTestApi({ running: web }), llm.line)
  } finally {
    await Promise.all(running.map((one) => one.stop()))
    await closeDatabase()
    await llm.kill()
    await redis.stop()
    await database.stop()
  }
}
