import { toMongoError } from '../mongo-error.ts'
import { findStored } from '../query/find.ts'
import type { Engine } from './engine.ts'

const MAX_PER_BATCH = 100

/** Removes expired documents, a limited number at a time so as not to block other commands. */
export function startTtlSweep(engine: Engine, everyMs: number, log: (line: string) => void): { stop(): void } {
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    sweep(engine)
      .catch((error: unknown) =>
        log(`embedded database: removing expired documents failed: ${toMongoError(error).message}`),
      )
      .finally(() => {
        running = false
      })
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

async function sweep(engine: Engine): Promise<void> {
  const namespaces = engine.store.allCollections().map((collection) => collection.namespace)
  for (const namespace of namespaces) {
    while ((await engine.writes.write(() => removeExpired(engine, namespace))) === MAX_PER_BATCH);
  }
}

function removeExpired(engine: Engine, namespace: string): number {
  // Looked up again each time, as it may have been dropped.
  const collection = engine.store.collection(namespace)
  let removed = 0
  for (const index of collection?.indexes ?? []) {
    const [field, ...others] = index.fields
    if (index.expireAfterSeconds === undefined || !field || others.length > 0 || !collection) continue
    const before = new Date(Date.now() - index.expireAfterSeconds * 1000)
    const filter = { ...index.partial, [field.path]: { $lt: before } }
    for (const row of [...findStored(collection, { filter, limit: MAX_PER_BATCH })]) {
      collection.remove(row)
      removed++
    }
  }
  return removed
}
