import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type mongo } from 'mongoose'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'
import { type BenchReport, inFolder } from './bench-report.ts'
import { quantile } from './statistics.ts'

const DOCUMENTS = 1_000_000
const BATCH = 10_000
const READ_EVERY_MS = 5

interface Submission {
  _id: number
  assignment: number
  score: number
  state: string
  flags: string[]
}

/** Reads while another client groups, changes, indexes and deletes a million documents. */
export const store = (report: BenchReport) => inFolder('store', (folder) => readBesideCommands(report, folder))

async function readBesideCommands({ heading, result }: BenchReport, folder: string): Promise<void> {
  const database = await startEmbeddedDatabase({ folder, log: console.error })
  const [one, other] = await Promise.all([1, 2].map(() => createConnection(database.url).asPromise()))
  if (!one || !other) throw new Error('not connected')
  try {
    const of = (connection: typeof one) => connection.getClient().db('bench').collection<Submission>('submissions')
    await seed(of(one))
    heading('The embedded database with a million small submissions: reads of others beside long commands')
    for (const [command, run] of LONG_COMMANDS) {
      const { seconds, took } = await readBeside(of(other), () => run(of(one)))
      const at = (share: number) => quantile(took, share).toFixed(1)
      result(`${command}, ${seconds.toFixed(1)} s: p99 of ${took.length} reads`, `${at(0.99)} ms`, 'goal: under 50 ms')
      result('median and slowest', `${at(0.5)} / ${at(1)} ms`)
    }
  } finally {
    await Promise.all([one.close(), other.close()])
    await database.stop()
  }
}

async function seed(submissions: mongo.Collection<Submission>): Promise<void> {
  await submissions.createIndex({ assignment: 1, score: -1 })
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, n) => submission(from + n))
    await submissions.insertMany(batch)
  }
}

function submission(n: number): Submission {
  return { _id: n, assignment: n % 5_000, score: n % 101, state: n % 3 === 0 ? 'released' : 'graded', flags: ['late'] }
}

type LongCommand = (submissions: mongo.Collection<Submission>) => Promise<unknown>

/** The deletion leaves the last tenth, which is where the reads look. */
const LONG_COMMANDS: [string, LongCommand][] = [
  ['$group', (all) => all.aggregate([{ $group: { _id: '$assignment', sum: { $sum: '$score' } } }]).toArray()],
  ['updateMany of all', (all) => all.updateMany({}, { $set: { state: 'archived' } })],
  ['a new index', (all) => all.createIndex({ state: 1, score: 1 })],
  ['deletion of 90 %', (all) => all.deleteMany({ _id: { $lt: DOCUMENTS * 0.9 } })],
]

async function readBeside(submissions: mongo.Collection<Submission>, command: () => Promise<unknown>) {
  const state = { running: true }
  const begun = performance.now()
  const long = command().finally(() => {
    state.running = false
  })
  // Its failure is reported below.
  long.catch(() => {})
  const took: number[] = []
  while (state.running) {
    const at = performance.now()
    const id = Math.floor(DOCUMENTS * (0.9 + 0.1 * Math.random()))
    if (took.length % 2 === 0) await submissions.findOne({ _id: id })
    else {
      await submissions
        .find({ assignment: id % 5_000 })
        .sort({ score: -1 })
        .limit(20)
        .toArray()
    }
    took.push(performance.now() - at)
    await sleep(READ_EVERY_MS)
  }
  await long
  return { seconds: (performance.now() - begun) / 1000, took }
}
