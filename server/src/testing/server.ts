import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../config.ts'
import { generateRsaKeys, type RsaKeys } from '../features/lti/platforms/platform-keys.ts'
import { createLog } from '../lib/log.ts'
import { type RunningServer, type StartOptions, start } from '../start.ts'
import { createTestApi } from './api.ts'
import { createCachedPaperReader } from './cached-paper-reader.ts'
import { createTestDatabase, type TestDatabase } from './create-test-database.ts'

type TestEnvironment = Record<string, string>

/** With it set, the tests run against that MongoDB. */
const realMongoDb: TestEnvironment = process.env.MONGODB_URL ? { MONGODB_URL: process.env.MONGODB_URL } : {}

export type TestOverrides = Partial<Omit<StartOptions, 'config'>>

export async function startTestServer(
  dataDir: string,
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): Promise<RunningServer> {
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
    platformKeys: nextPlatformKeys,
    ...papers,
    ...parts,
  })
  await separateIdRanges()
  return running
}

/** Generating them costs more than most tests. None is used twice before all others were. */
const KEYS = 8
const keys: Promise<RsaKeys>[] = []
let keysTaken = 0

function nextPlatformKeys(): Promise<RsaKeys> {
  const index = keysTaken++ % KEYS
  keys[index] ??= generateRsaKeys()
  return keys[index]
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

/** Deleted when the test file ends. With `MONGODB_URL: ''` it has an embedded database, as in the product. */
export function useServer(
  environment: TestEnvironment = {},
  parts: TestOverrides = {},
): { readonly running: RunningServer } {
  let running: RunningServer | undefined
  let database: TestDatabase | undefined
  let dataDir = ''
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-'))
    const given = { ...realMongoDb, ...environment }
    if (given.MONGODB_URL === undefined) database = await createTestDatabase()
    running = await startTestServer(dataDir, { ...(database ? { MONGODB_URL: database.url } : {}), ...given }, parts)
  })
  afterAll(async () => {
    await running?.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    get running() {
      if (!running) throw new Error('only available after beforeAll')
      return running
    },
  }
}

export function useTestApi(...of: Parameters<typeof useServer>) {
  const server = useServer(...of)
  return { server, api: createTestApi(server) }
}
