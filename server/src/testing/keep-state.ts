import { setTimeout as after } from 'node:timers/promises'
import { connectedDatabase } from '../lib/database/database.ts'
import { JobModel } from '../lib/jobs/job.model.ts'

/** Caches know documents by ids; sign-ins of the first test serve the next; a process reports at any time. */
const GOES_ON = ['counters', 'sessions', 'processes']

/** For a tenth of what building takes. Tests must look at no other data. */
export function keepState<T>(build: () => Promise<T>): () => Promise<T> {
  let kept: { state: T; restore: () => Promise<void> } | undefined
  return async () => {
    if (kept) await kept.restore()
    else kept = { state: await build(), restore: await takeSnapshot() }
    return kept.state
  }
}

async function takeSnapshot(): Promise<() => Promise<void>> {
  await nothingIsDue()
  const database = connectedDatabase()
  const listed = await database.listCollections().toArray()
  const names = listed.map(({ name }) => name).filter((name) => !GOES_ON.includes(name))
  const stored = await Promise.all(names.map(async (name) => ({ name, documents: await read(name) })))
  return async () => {
    await nothingIsDue()
    for (const { name, documents } of stored) {
      const collection = database.collection(name)
      await collection.deleteMany({})
      if (documents.length > 0) await collection.insertMany(documents)
    }
  }
}

const read = (name: string) => connectedDatabase().collection(name).find().toArray()

async function nothingIsDue(): Promise<void> {
  const due = { $or: [{ status: 'running' as const }, { status: 'queued' as const, run_at: { $lte: new Date() } }] }
  while (await JobModel.exists(due)) await after(20)
}
