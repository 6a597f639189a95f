import { parentPort, workerData } from 'node:worker_threads'
import { Engine } from './engine/engine.ts'
import { startHousekeeping } from './engine/housekeeping.ts'
import { OpenFailure } from './storage/open-failure.ts'
import { openFolder } from './storage/open-store.ts'
import { listen } from './wire/listen.ts'
import type { FromWorker, WorkerSettings } from './worker-messages.ts'

// A separate thread, so that scans do not block the program's event loop.
const settings = workerData as WorkerSettings

function postToParent(message: FromWorker): void {
  parentPort?.postMessage(message)
}

const log = (line: string) => postToParent({ kind: 'log', line })

try {
  const folder = openFolder(settings.folder, settings)
  const engine = new Engine({
    ...settings,
    openStore: folder.openStore,
    log,
  })
  const listener = await listen(engine, settings.address)
  const housekeeping = startHousekeeping(engine, settings.sweepMs, log)
  parentPort?.once('message', async () => {
    housekeeping.stop()
    await listener.close()
    await engine.close()
    folder.release()
    postToParent({ kind: 'stopped' })
    parentPort?.close()
  })
  postToParent({ kind: 'ready', port: listener.port })
} catch (error) {
  const code = error instanceof OpenFailure ? error.code : 'unwritable'
  postToParent({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) })
  parentPort?.close()
}
