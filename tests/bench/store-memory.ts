/**
 * `node tests/bench/store-memory.ts [DOCUMENTS]`: what long commands of the embedded database over a million small submissions cost, in seconds and in
 * the peak memory of the whole process, which holds the store and its client. Only the client that inserts them all has a process of its
 * own: it makes some 150 MB of garbage, which V8 keeps for long, and no process of the product inserts a million documents.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Connection, createConnection, type mongo, Types } from 'mongoose'
import { z } from 'zod'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'

const Step = z.object({
  name: z.string(),
  seconds: z.number(),
  /** Of all threads; says more than seconds on a busy machine. */
  cpuSeconds: z.number(),
  /** VmHWM while it ran; 0 where the system does not tell. */
  peakMegabytes: z.number(),
  /** The database's files afterwards. */
  fileMegabytes: z.number(),
})
export type StoreStep = z.infer<typeof Step>

const DOCUMENTS = 1_000_000
const BATCH = 5_000
const COURSES = 500

/** Runs in a process of its own, so that the peak is the store's; `onStep` is called as each step ends. */
export async function measureStoreMemory(onStep: (step: StoreStep) => void, documents = DOCUMENTS): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-store-'))
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(documents), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // As in `scripts/lib/tools.mjs`.
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
  })
  try {
    const ended = once(child, 'close')
    let rest = ''
    for await (const chunk of child.stdout) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onStep(Step.parse(JSON.parse(line)))
    }
    await ended
    if (child.exitCode !== 0) throw new Error('The process that holds the store failed.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function submission(n: number) {
  return {
    assignment_id: n % (COURSES * 10),
    course_id: n % COURSES,
    student: new Types.ObjectId(),
    status: n % 7 === 0 ? 'failed' : 'graded',
    score: (n * 37) % 101,
    created_at: new Date(1_700_000_000_000 + ((n * 7919) % 1_000_003) * 1000),
    file_name: `paper-${n}.pdf`,
  }
}

/** In the process that is measured. */
async function runSteps(documents: number, folder: string): Promise<void> {
  const database = await startEmbeddedDatabase({ folder, internal: { sweepMs: 500 } })
  const connection = await createConnection(database.url).asPromise()
  const submissions = submissionsOf(connection)

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    resetPeak()
    const from = performance.now()
    const cpuFrom = process.cpuUsage()
    await work()
    const seconds = (performance.now() - from) / 1000
    const cpu = process.cpuUsage(cpuFrom)
    const cpuSeconds = (cpu.user + cpu.system) / 1e6
    const done: StoreStep = {
      name,
      seconds,
      cpuSeconds,
      peakMegabytes: peakMegabytes(),
      fileMegabytes: fileMegabytes(folder),
    }
    process.stdout.write(`${JSON.stringify(done)}\n`)
  }

  await submissions.createIndex({ course_id: 1, created_at: 1 })
  await step('insert', () => insertElsewhere(database.url, documents))
  await step('count with a filter', () => submissions.countDocuments({ score: { $gte: 50 } }))
  await step('group by course', () =>
    submissions
      .aggregate([
        { $group: { _id: '$course_id', n: { $sum: 1 }, sum: { $sum: '$score' }, least: { $min: '$score' } } },
      ])
      .toArray(),
  )
  await step('group by student, each their own', () =>
    submissions.aggregate([{ $group: { _id: '$student', n: { $sum: 1 } } }, { $match: { n: { $gt: 1 } } }]).toArray(),
  )
  await step('distinct', () => submissions.distinct('score'))
  await step('page in an order without an index', () =>
    submissions.find().sort({ score: -1, file_name: 1 }).limit(100).toArray(),
  )
  await step('first batch in an order without an index', () =>
    submissions.find().sort({ score: -1, file_name: 1 }).batchSize(100).next(),
  )
  await step('update of all', () => submissions.updateMany({}, { $set: { reviewed: true }, $inc: { score: 1 } }))
  await step('update of an indexed field of all', () => submissions.updateMany({}, { $inc: { course_id: 1 } }))
  await step('new index', () => submissions.createIndex({ student: 1 }, { unique: true }))
  await step('pages of one course by date, 200 times', async () => {
    for (let n = 0; n < 200; n++) {
      await submissions
        .find({ course_id: 1 + (n % COURSES) })
        .sort({ created_at: 1 })
        .limit(50)
        .toArray()
    }
  })
  await step('updates of one, 500 times', async () => {
    for (let n = 0; n < 500; n++) await submissions.updateOne({ course_id: 1 + (n % COURSES) }, { $inc: { score: 1 } })
  })
  const most = documents - documents / 10
  await step('deletion of 90 %', () =>
    submissions.deleteMany({ file_name: { $regex: /[1-9]\.pdf$/ } }).then(({ deletedCount }) => {
      if (deletedCount !== most) throw new Error(`${deletedCount} deleted instead of ${most}`)
    }),
  )
  const before = fileMegabytes(folder)
  await step('until the file has shrunk', async () => {
    const until = performance.now() + 60_000
    while (fileMegabytes(folder) > before / 4 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 100))
    }
  })
  await connection.close()
  await database.stop()
}

async function insertElsewhere(url: string, documents: number): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(documents), 'insert', url], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error('The process that inserts the documents failed.')
}

async function insertAll(url: string, documents: number): Promise<void> {
  const connection = await createConnection(url).asPromise()
  const submissions = submissionsOf(connection)
  for (let from = 0; from < documents; from += BATCH) {
    await submissions.insertMany(
      Array.from({ length: Math.min(BATCH, documents - from) }, (_, n) => submission(from + n)),
    )
  }
  await connection.close()
}

function submissionsOf(connection: Connection): mongo.Collection {
  return connection.getClient().db('assay').collection('submissions')
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Elsewhere than on Linux; the peak is then that of the whole run, or unknown.
  }
}

function peakMegabytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function fileMegabytes(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith('data.sqlite'))
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1024 ** 2
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [documents = String(DOCUMENTS), folder, url] = process.argv.slice(2)
  if (url) await insertAll(url, Number(documents))
  else if (folder) await runSteps(Number(documents), folder)
  else {
    await measureStoreMemory((step) => {
      const seconds = `${step.seconds.toFixed(2).padStart(8)} s, CPU ${step.cpuSeconds.toFixed(2).padStart(7)} s`
      const sizes = `${step.peakMegabytes.toFixed(0).padStart(5)} MB at most, file ${step.fileMegabytes.toFixed(0)} MB`
      console.log(`${step.name.padEnd(45)} ${seconds}, ${sizes}`)
    }, Number(documents))
  }
}
