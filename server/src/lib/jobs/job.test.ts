import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { repeatedWork } from './job.ts'

const options = { log: createLog('silent'), failure: 'failed' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('does its work at the start and again and again, after a failure too', async () => {
  const work = vi.fn(async () => Promise.reject(new Error('the database is away')))
  const repeated = repeatedWork(1000, work, options)
  await repeated.repeat()
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2500)
  expect(work).toHaveBeenCalledTimes(3)
  await repeated.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(3)
})

it('does it once at a time', async () => {
  let finish = () => {}
  const work = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const repeated = repeatedWork(1000, work, { ...options, atStart: false })
  await repeated.repeat()
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  finish()
  await vi.advanceTimersByTimeAsync(1000)
  expect(work).toHaveBeenCalledTimes(2)
})

it('has long work end early when it is stopped, and waits for that', async () => {
  let ended = false
  const work = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    ended = true
  }
  const repeated = repeatedWork(1000, work, { ...options, atStart: false })
  await repeated.repeat()
  await vi.advanceTimersByTimeAsync(1000)
  await repeated.stop()
  expect(ended).toBe(true)
})
