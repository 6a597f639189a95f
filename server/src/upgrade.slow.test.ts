import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMe, registerInstructor } from '@assay/shared/auth.ts'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationNames } from './migrations/migrations.ts'
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.ts'
import { createTestApi, type Person } from './testing/server.ts'
import { nextVersion, type ServerProcess, startServerProcess } from './testing/server-process.ts'

const ACCOUNTS = 1200

let dataDir = ''
let database: TestDatabase
let connection: mongoose.Connection
const processes: ServerProcess[] = []

const start = async (role: 'web' | 'worker', environment: Record<string, string> = {}) => {
  const started = await startServerProcess(dataDir, {
    ROLE: role,
    MONGODB_URL: database.url,
    SECRET_KEY: 'the same secret key on every machine',
    ...environment,
  })
  processes.push(started)
  return started
}

const next = '9000-of-the-next-version'
interface Migrated extends mongoose.mongo.Document {
  _id: string
}
const ran = async () => (await connection.collection<Migrated>('migrations').find().toArray()).map(({ _id }) => _id)
const countAccounts = (filter: object) => connection.collection('users').countDocuments(filter)

let old: ServerProcess
let person: Person
const isServedBy = async (process: ServerProcess) =>
  (await createTestApi({ running: process }).as(person).send(getMe)).status

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-upgrade-'))
  database = await createTestDatabase()
  connection = await mongoose.createConnection(database.url).asPromise()
  old = await start('web')
  const body = {
    username: 'ada',
    password: 'Some-Good-7-Phrase',
    email: 'ada@school.example',
    role: 'instructor' as const,
  }
  const { id } = (await createTestApi({ running: old }).nobody.send(registerInstructor, { body })).body
  person = { id, username: body.username, password: body.password }
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({
    _id: 100_000 + i,
    username_key: `u${i}`,
    email_key: `u${i}@x.example`,
    username: `u${i}`,
    email: `u${i}@x.example`,
  }))
  await connection.collection<{ _id: number }>('users').insertMany(accounts)
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()))
  await connection.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it('refuses a version that changes what the running one reads, which goes on', async () => {
  await expect(start('worker', nextVersion('none'))).rejects.toThrow(
    /An older version of Assay is running on this database \(process \d+ on .*\), and this version changes stored data/,
  )
  expect(await ran()).toEqual(migrationNames())
  expect(await countAccounts({ next: { $exists: true } })).toBe(0)
  expect(await isServedBy(old)).toBe(200)
})

it('changes data beside the running version, goes on where it was interrupted, and changes nothing twice', async () => {
  const orders = join(dataDir, 'orders')
  await writeFile(orders, 'after bulkWrite users 1\nusers')
  const { NODE_OPTIONS, ...environment } = nextVersion('all')
  const killing = `--import=${new URL('./testing/kill-at-write.ts', import.meta.url).href}`
  const killed = start('worker', { ...environment, NODE_OPTIONS: `${NODE_OPTIONS} ${killing}`, KILL_ORDERS: orders })
  await expect(killed).rejects.toThrow('the server did not start')
  const changed = await countAccounts({ next: 1 })
  expect(changed).toBeGreaterThan(0)
  expect(changed).toBeLessThan(ACCOUNTS)
  expect(await ran()).not.toContain(next)
  expect(await isServedBy(old)).toBe(200)
  const [web, worker] = await Promise.all([start('web', nextVersion('all')), start('worker', nextVersion('all'))])
  expect(await ran()).toEqual([...migrationNames(), next])
  expect(await countAccounts({ next: 1 })).toBe(await countAccounts({}))
  const changes = [web, worker].map((one) => one.output().includes('changing what an earlier version stored'))
  expect(changes.sort()).toEqual([false, true])
  expect(await isServedBy(web)).toBe(200)
  expect(await isServedBy(old)).toBe(200)
})

it('starts the older version again on what the newer one changed, unless it could not read it', async () => {
  const back = await start('web')
  expect(back.output()).toContain('working on what a newer version has stored')
  expect(await isServedBy(back)).toBe(200)
  const records = connection.collection<Migrated>('migrations')
  await records.updateOne({ _id: next }, { $set: { compatible_with: { knowing: migrationNames()[0] } } })
  await (await start('worker')).stop()
  await records.updateOne({ _id: next }, { $set: { compatible_with: { knowing: '9000-another' } } })
  await expect(start('worker')).rejects.toThrow('The database was written by a newer version of Assay.')
})
