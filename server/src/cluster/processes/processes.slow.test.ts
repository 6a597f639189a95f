import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { closeDatabase, openDatabase } from '../../lib/database/database.ts'
import { createLog } from '../../lib/log.ts'
import { hasEnded, machineId, thisProcess } from '../../lib/machine.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/create-test-database.ts'
import {
  currentProcessId,
  DEAD_AFTER_MS,
  findDead,
  findOthers,
  ProcessModel,
  type RegisteredProcess,
  registerProcess,
  worksAlone,
} from './processes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await openDatabase(database.url, async () => {})
})
afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

const own = { role: 'worker', papers: 'disk', secret_check: 'x' }
const row = { ...own, since: new Date(), joined: true }
const elsewhere = { ...row, machine: 'elsewhere', pid: 1 }
let registered: RegisteredProcess
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await ProcessModel.deleteMany({})
  registered = await registerProcess(own, createLog('silent'), async () => {})
})
afterEach(async () => {
  await registered.end()
  vi.useRealTimers()
})

const dead = async () => (await findDead()).map(({ _id }) => _id)

async function watchFor(ms: number, meanwhile: () => Promise<unknown> = async () => {}): Promise<string[]> {
  for (let left = ms; left > 0; left -= 5_000) {
    vi.advanceTimersByTime(5_000)
    await meanwhile()
    await dead()
  }
  return dead()
}

it('counts a process on another machine as dead once it was not seen for half a minute, and not after a pause of all', async () => {
  await ProcessModel.create({ ...elsewhere, _id: 'other', seen_at: new Date(Date.now() - 3_600_000) })
  expect(await dead()).toEqual([])
  expect((await findOthers()).map(({ _id }) => _id)).toEqual(['other'])
  expect(await watchFor(DEAD_AFTER_MS - 5_000)).toEqual([])
  expect(await watchFor(10_000)).toEqual(['other'])
  // What this process saw before says nothing: it or the database was away.
  vi.advanceTimersByTime(60_000)
  expect(await dead()).toEqual([])
  const seen = () => ProcessModel.updateOne({ _id: 'other' }, { $currentDate: { seen_at: true } })
  expect(await watchFor(2 * DEAD_AFTER_MS, seen)).toEqual([])
  expect(await dead()).not.toContain(currentProcessId())
})

it('knows at once that a process of this machine has ended, or said so itself', async () => {
  const now = new Date()
  // Past what Linux hands out as process numbers.
  await ProcessModel.create({ ...row, _id: 'killed', machine: machineId, pid: 99_999_999, seen_at: now })
  await ProcessModel.create({ ...row, ...thisProcess, _id: 'before', start: 'an earlier start', seen_at: now })
  await ProcessModel.create({ ...elsewhere, _id: 'stopped', seen_at: new Date(0) })
  expect((await dead()).sort()).toEqual(['before', 'killed', 'stopped'])
})

it('says whether others are at work', async () => {
  expect(worksAlone()).toBe(true)
  await ProcessModel.create({ ...elsewhere, _id: 'other', seen_at: new Date() })
  await expect.poll(worksAlone).toBe(false)
})

it('tells this process from an earlier one with its number', () => {
  expect(hasEnded(thisProcess)).toBe(false)
  expect(hasEnded({ ...thisProcess, start: 'another' })).toBe(true)
  expect(hasEnded({ machine: machineId, pid: process.ppid })).toBe(false)
  expect(hasEnded({ machine: 'elsewhere', pid: 99_999_999 })).toBe(false)
})
