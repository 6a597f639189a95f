import { afterEach, expect, it } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics/metrics.ts'
import { useRedis } from '../../testing/redis-server.ts'
import { connectToRedis, type Redis } from './redis.ts'
import { createSharedSlots } from './shared-slots.ts'

const server = useRedis()
const open: Redis[] = []
afterEach(async () => {
  for (const redis of open.splice(0)) await redis.close()
})

async function connect(): Promise<Redis> {
  const options = { url: server.url, secretKey: 's'.repeat(32), log: createLog('silent'), metrics: createMetrics() }
  const redis = await connectToRedis(options)
  open.push(redis)
  return redis
}

function calls() {
  const running: (() => void)[] = []
  let most = 0
  const call = async () => {
    const gate = Promise.withResolvers<void>()
    running.push(gate.resolve)
    most = Math.max(most, running.length)
    await gate.promise
  }
  return { call, running, most: () => most, endOne: () => running.shift()?.() }
}

it('limits calls in all processes together, and lets the next begin when one ends', async () => {
  const [one, other] = [createSharedSlots('calls', await connect()), createSharedSlots('calls', await connect())]
  const { call, running, most, endOne } = calls()
  const all = Array.from({ length: 12 }, (_, i) => (i % 2 ? one : other).run('a course', 3, call))
  for (let left = 12; left > 0; left--) {
    await expect.poll(() => running.length).toBe(Math.min(3, left))
    endOne()
  }
  await Promise.all(all)
  expect(most()).toBe(3)
})

it('frees what a process holds that died, and not what one holds that lives', async () => {
  const [dying, living] = [await connect(), await connect()]
  const { call, running, endOne } = calls()
  const held = createSharedSlots('calls', dying, 3_000).run('a course', 1, call)
  await expect.poll(() => running.length).toBe(1)
  const next = createSharedSlots('calls', living, 3_000).run('a course', 1, call)
  // Renewed longer than a lease lasts.
  const until = Date.now() + 4_500
  await expect.poll(() => Date.now() > until).toBe(true)
  expect(running.length).toBe(1)
  await dying.close()
  await expect.poll(() => running.length).toBe(2)
  endOne()
  endOne()
  await Promise.all([held, next])
})

it('does not limit while Redis is away, and ends waiting when it is asked to', async () => {
  const redis = await connect()
  const slots = createSharedSlots('calls', redis)
  const { call, running, endOne } = calls()
  const first = slots.run('a course', 1, call)
  await expect.poll(() => running.length).toBe(1)
  const stop = new AbortController()
  const waiting = [1, 2].map(() => slots.run('a course', 1, call, stop.signal))
  stop.abort(new Error('stopped'))
  for (const one of waiting) await expect(one).rejects.toThrow('stopped')
  await server.kill()
  await expect.poll(() => redis.isUp()).toBe(false)
  const second = slots.run('a course', 1, call)
  await expect.poll(() => running.length).toBe(2)
  endOne()
  endOne()
  await Promise.all([first, second])
  await server.start()
})
