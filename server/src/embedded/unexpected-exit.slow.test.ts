import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import mongoose from 'mongoose'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTestServer } from '../testing/server.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { makeFolder } from './testing/test-database.ts'

const FAREWELL_MS = 5000
let folder: string
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function withWorker<T>(start: () => Promise<T>): Promise<[T, Worker]> {
  const once = vi.spyOn(Worker.prototype, 'once')
  const started = await start()
  const worker = once.mock.contexts.find((context) => context instanceof Worker)
  once.mockRestore()
  if (!worker) throw new Error('no thread was started')
  return [started, worker]
}

it('reports the loss when its thread ends unexpectedly, and can be opened again', async () => {
  const [database, worker] = await withWorker(() => startEmbeddedDatabase({ folder }))
  await worker.terminate()
  expect(await database.unexpectedExit).toBe('its thread ended')
  const again = await startEmbeddedDatabase({ folder })
  await again.stop()
  expect(await Promise.race([again.unexpectedExit, 'not lost'])).toBe('not lost')
})

it('is reported by the running server', async () => {
  const [running, worker] = await withWorker(() => startTestServer(folder, { MONGODB_URL: '' }))
  await worker.terminate()
  expect(await running.databaseLost).toBe('its thread ended')
  await running.stop()
  // On a busy machine the thread may have taken a socket and not read it: the driver's farewell on it is never
  // answered.
  await Promise.race([mongoose.disconnect(), sleep(FAREWELL_MS)])
})
