import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { type RunningServer, type StartOptions, start } from '../start.ts'
import { createCachedPaperReader } from './cached-paper-reader.ts'
import { createTestDatabase, type TestDatabase } from './create-test-database.ts'
import { createWorkerFolder } from './worker-folder.ts'

/** Settings of a test's server as environment variables; tests name only what they are about. */
type TestEnvironment = Record<string, string>

/** With it set, the tests run against that MongoDB. */
const realMongoDb: TestEnvironment = process.env.MONGODB_URL ? { MONGODB_URL: process.env.MONGODB_URL } : {}

/** Parts of the product that a test can replace. */
export type TestOverrides = Partial<Omit<StartOptions, 'config'>>

/** Starts one in that folder, and stops what the files of this process share. */
export async function startTestServer(
  dataDir: string,
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): Promise<RunningServer> {
  await stopSharedServer()
  return startIn(dataDir, environment, parts)
}

async function startIn(dataDir: string, environment: TestEnvironment, parts: TestOverrides): Promise<RunningServer> {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    DEMO: 'off',
    DATA_DIR: dataDir,
    ...realMongoDb,
    ...environment,
  })
  const ownLimits = Object.keys(environment).some((name) => name.startsWith('READING_'))
  const papers = ownLimits ? {} : { papers: createCachedPaperReader() }
  const log = createLog(config.logLevel)
  const running = await start({
    config,
    log,
    clientFolder: null,
    jobPollMs: POLL_MS,
    scorePollMs: POLL_MS,
    passwordCost: { memoryCost: 8, timeCost: 1 },
    ...papers,
    ...parts,
  })
  await separateIdRanges()
  return running
}

/** Tests wait for due jobs and scores, so poll often. */
const POLL_MS = 200

let started = 0

/** Test files share a process with in-memory caches by id, so ids must be unique across their databases. */
async function separateIdRanges(): Promise<void> {
  started++
  await mongoose.model('Counter').bulkWrite(
    mongoose.modelNames().map((name) => ({
      updateOne: {
        filter: { _id: mongoose.model(name).collection.name },
        update: { $max: { value: started * 10_000 } },
        upsert: true,
      },
    })),
  )
}

const needsDatabase = (environment: TestEnvironment) => ({ ...realMongoDb, ...environment }).MONGODB_URL === undefined

async function startShared(): Promise<RunningServer> {
  const database = needsDatabase({}) ? await createTestDatabase() : null
  return startIn(createWorkerFolder(), database ? { MONGODB_URL: database.url } : {}, {})
}

/** Used by the files of this process that need no server of their own, one file after another. */
let shared: Promise<RunningServer> | null = null

/** A process has one connection for all its models, so no other server can run in it beside this one. */
async function stopSharedServer(): Promise<void> {
  const stopping = shared
  shared = null
  await (await stopping)?.stop()
}

/**
 * A real server with a real database. Without settings of its own, a file shares it with others, in any order: give what you build names
 * of its own, and look only at that. A file that changes the school's settings, counts or deletes what others built, or gives people
 * fixed names, takes `useOwnServer`.
 */
export function useServer(environment?: TestEnvironment, parts?: TestOverrides): { readonly running: RunningServer } {
  if (environment || parts) return useOwnServer(environment, parts)
  return useStarted(() => {
    shared ??= startShared()
    return shared
  })
}

/**
 * A server of this file alone; it and its database are deleted when the file ends. With `MONGODB_URL: ''` it has an embedded database in
 * its own folder, as in the product.
 */
export function useOwnServer(
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): { readonly running: RunningServer } {
  let running: RunningServer | undefined
  let database: TestDatabase | undefined
  let dataDir = ''
  const server = useStarted(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-'))
    if (needsDatabase(environment)) database = await createTestDatabase()
    running = await startTestServer(
      dataDir,
      { ...(database ? { MONGODB_URL: database.url } : {}), ...environment },
      parts,
    )
    return running
  })
  afterAll(async () => {
    await running?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return server
}

function useStarted(start: () => Promise<RunningServer>): { readonly running: RunningServer } {
  let running: RunningServer | undefined
  beforeAll(async () => {
    running = await start()
  })
  return {
    get running() {
      if (!running) throw new Error('only available after beforeAll')
      return running
    },
  }
}
