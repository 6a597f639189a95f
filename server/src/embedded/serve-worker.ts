import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, WorkerSettings } from './embedded-database.ts'
import { Engine } from './engine/engine.ts'
import { toMongoError } from './mongo-error.ts'
import { findStored } from './query/find.ts'
import { OpenFailure, openFolder } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { listen } from './wire/listen.ts'

const settings = workerData as WorkerSettings

function postToParent(message: FromWorker): void {
  parentPort?.postMessage(message)
}

const log = (line: string) => postToParent({ kind: 'log', line })

try {
  const folder = openFolder(settings.folder, settings)
  const engine = new Engine({ ...settings, openStore: folder.openStore, log })
  const listener = await listen(engine, settings.address)
  const housekeeping = startHousekeeping(engine, settings.sweepMs, log)
  parentPort?.once('message', async () => {
    housekeeping.stop()
    await listener.close()
    await engine.close()
    folder.release()
    parentPort?.close()
  })
  postToParent({ kind: 'ready', port: listener.port })
} catch (error) {
  const code = error instanceof OpenFailure ? error.code : 'unwritable'
  postToParent({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) })
  parentPort?.close()
}

/** A few milliseconds' work, as other commands wait. */
const DOCUMENTS_A_STEP = 100
const PAGES_A_STEP = 200
/** Giving back every page would make the file grow again at once. */
const KEPT_PAGES = 1000
const KEPT_SHARE = 0.1

/** Removes expired documents and gives free pages back, in small steps between writes. */
function startHousekeeping(engine: Engine, everyMs: number, log: (line: string) => void): { stop(): void } {
  let running = false
  let stopped = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    runOnce(engine)
      .catch((error: unknown) => {
        if (!stopped) log(`embedded database: removing what has expired failed: ${toMongoError(error).message}`)
      })
      .finally(() => {
        running = false
      })
  }, everyMs)
  timer.unref()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

async function runOnce({ store, writes }: Engine): Promise<void> {
  for (const { namespace } of store.allCollections()) {
    while ((await writes.write(() => removeExpired(store, namespace))) === DOCUMENTS_A_STEP);
  }
  if (sparePages(store) === 0) return
  for (let pages = sparePages(store); pages > 0; pages = sparePages(store)) {
    // For SQLite 0 means all.
    await writes.write(() => store.db.exec(`PRAGMA incremental_vacuum(${Math.min(pages, PAGES_A_STEP)})`))
  }
  store.db.exec('PRAGMA wal_checkpoint(PASSIVE)')
}

function removeExpired(store: Store, namespace: string): number {
  const collection = store.collection(namespace)
  let removed = 0
  for (const { fields, expireAfterSeconds, partial } of collection?.indexes ?? []) {
    const [field, ...others] = fields
    if (expireAfterSeconds === undefined || !field || others.length > 0 || !collection) continue
    const before = new Date(Date.now() - expireAfterSeconds * 1000)
    const filter = { ...partial, [field.path]: { $lt: before } }
    for (const row of [...findStored(collection, { filter, limit: DOCUMENTS_A_STEP })]) {
      collection.remove(row)
      removed++
    }
  }
  return removed
}

function sparePages(store: Store): number {
  const pragma = (name: string) => Number(Object.values(store.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
  const kept = Math.max(KEPT_PAGES, Math.floor(pragma('page_count') * KEPT_SHARE))
  // Files of early versions have no incremental vacuum.
  return pragma('auto_vacuum') === 2 ? Math.max(0, pragma('freelist_count') - kept) : 0
}
