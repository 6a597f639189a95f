import mongoose from 'mongoose'
import { expect, it } from 'vitest'
import { useServer } from '../../testing/server.ts'
import { machineId } from '../machine.ts'
import { tryDatabaseLock, withDatabaseLock } from './database-lock.ts'

useServer()

const locks = () => mongoose.connection.collection<mongoose.mongo.Document & { _id: string }>('locks')
const inAMinute = () => new Date(Date.now() + 60_000)

it('lets one after the other work under a name, and frees it after a failure too', async () => {
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await locks().countDocuments()
    seen.push(`${name} ends`)
  }
  let second: Promise<void> | undefined
  const first = withDatabaseLock('one', async () => {
    await work('a')()
    // Of two begun at once either may be first.
    second = withDatabaseLock('one', work('b'))
    await tryDatabaseLock('one', work('refused'))
    throw new Error('failed')
  })
  await expect(first).rejects.toThrow('failed')
  await second
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  expect(await locks().findOne({ _id: 'one' })).toBeNull()
})

it('leaves the work to whoever is at it', async () => {
  let done = 0
  const count = async () => void done++
  await withDatabaseLock('two', () => tryDatabaseLock('two', count))
  expect(done).toBe(0)
  await tryDatabaseLock('two', count)
  expect(done).toBe(1)
})

it.each([
  ['was killed on this machine', { machine: machineId, pid: 99_999_999, until: inAMinute() }],
  ['has not renewed it', { machine: 'elsewhere', pid: 1, until: new Date(Date.now() - 1) }],
])('takes over from a process that %s', async (_, held) => {
  await locks().insertOne({ _id: 'three', holder: 'gone', ...held })
  expect(await withDatabaseLock('three', async () => 'done')).toBe('done')
})

it('waits for a process elsewhere', async () => {
  await locks().insertOne({ _id: 'four', holder: 'other', machine: 'elsewhere', pid: 1, until: inAMinute() })
  let done = false
  await tryDatabaseLock('four', async () => {
    done = true
  })
  expect(done).toBe(false)
  const waiting = withDatabaseLock('four', async () => 'done')
  await locks().deleteOne({ _id: 'four' })
  expect(await waiting).toBe('done')
})
