import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

let shared: Promise<{ url: string; client: mongoose.mongo.MongoClient }> | undefined
let created = 0

/** Starting a store costs as much as many a test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  shared ??= startShared()
  const { url, client } = await shared
  const name = `test-${++created}`
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: async () => void (await client.db(name).dropDatabase()) }
}

async function startShared() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-tests-'))
  // How Vitest ends a worker.
  process.once('SIGTERM', () => {
    rmSync(folder, { recursive: true, force: true })
    process.kill(process.pid, 'SIGTERM')
  })
  const { url } = await startEmbeddedDatabase({ folder, internal: { durable: false } })
  return { url, client: await mongoose.mongo.MongoClient.connect(url) }
}
