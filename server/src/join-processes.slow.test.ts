import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beAlone, ProcessModel } from './cluster/processes/processes.ts'
import { readConfig } from './config.ts'
import { joinProcesses } from './join-processes.ts'
import { closeDatabase, connectedDatabase, openDatabase } from './lib/database/database.ts'
import { createLog } from './lib/log.ts'
import { runMigrations } from './migrations/run-migrations.ts'
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.ts'

let dataDir = ''
let database: TestDatabase
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-join-'))
  database = await createTestDatabase()
  await openDatabase(database.url, (db) => runMigrations(db))
})
afterAll(async () => {
  beAlone()
  await closeDatabase()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it('does not join where a newer version has changed the database since it was opened', async () => {
  const config = readConfig({
    NODE_ENV: 'test',
    ROLE: 'web',
    DATA_DIR: dataDir,
    MONGODB_URL: database.url,
    SECRET_KEY: 'x'.repeat(40),
  })
  const log = createLog('silent')
  await (await joinProcesses(config, log)).end()
  const newer = { _id: '9000-of-the-next-version', at: new Date(), compatible_with: 'none' }
  await connectedDatabase().collection<{ _id: string }>('migrations').insertOne(newer)
  await expect(joinProcesses(config, log)).rejects.toThrow('The database was written by a newer version of Assay.')
  expect(await ProcessModel.countDocuments({ seen_at: { $gt: new Date(0) } })).toBe(0)
})
