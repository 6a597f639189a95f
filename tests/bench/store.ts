import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type mongo } from 'mongoose'
import { startEmbeddedDatabase } from '../../server/src/embedded/embedded-database.ts'

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

export interface BesideLongCommand {
  command: string
  seconds: number
  /** How many reads of other callers were answered meanwhile. */
  reads: number
  /** Of a document by its id and of a page by an index, alternately, in ms. */
  p50: number
  p99: number
  slowest: number
}

/** Other callers' reads while one client groups, changes, indexes and deletes a million small documents in the embedded database. */
export async function readsBesideLongCommands(documents = DOCUMENTS): Promise<BesideLongCommand[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-store-'))
  const database = await startEmbeddedDatabase({ folder, log: console.error })
  const [one, other] = await Promise.all([1, 2].map(() => createConnection(database.url).asPromise()))
  if (!one || !other) throw new Error('not connected')
  try {
    const of = (connection: typeof one) => connection.getClient().db('bench').collection<Submission>('submissions')
    await seed(of(one), documents)
    const results: BesideLongCommand[] = []
    for (const [command, run] of LONG_COMMANDS) {
      results.push({ command, ...(await readBeside(of(other), documents, () => run(of(one), documents))) })
    }
    return results
  } finally {
    await Promise.all([one.close(), other.close()])
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function seed(submissions: mongo.Collection<Submission>, documents: number): Promise<void> {
  await submissions.createIndex({ assignment: 1, score: -1 })
  for (let from = 0; from < documents; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, documents - from) }, (_, n) => submission(from + n))
    await submissions.insertMany(batch)
  }
}

function submission(n: number): Submission {
  return { _id: n, assignment: n % 5_000, score: n % 101, state: n % 3 === 0 ? 'released' : 'graded', flags: ['late'] }
}

type LongCommand = (submissions: mongo.Collection<Submission>, documents: number) => Promise<unknown>

/** The deletion leaves the last tenth, which is where the reads look. */
const LONG_COMMANDS: [string, LongCommand][] = [
  ['$group', (all) => all.aggregate([{ $group: { _id: '$assignment', sum: { $sum: '$score' } } }]).toArray()],
  ['updateMany of all', (all) => all.updateMany({}, { $set: { state: 'archived' } })],
  ['a new index', (all) => all.createIndex({ state: 1, score: 1 })],
  ['deletion of 90 %', (all, documents) => all.deleteMany({ _id: { $lt: documents * 0.9 } })],
]

async function readBeside(
  submissions: mongo.Collection<Submission>,
  documents: number,
  command: () => Promise<unknown>,
): Promise<Omit<BesideLongCommand, 'command'>> {
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
    const id = Math.floor(documents * (0.9 + 0.1 * Math.random()))
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
  const seconds = (performance.now() - begun) / 1000
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0
  return { seconds, reads: took.length, p50: at(0.5), p99: at(0.99), slowest: at(1) }
}
