import { createClient } from '@redis/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EventBus } from '../../lib/event-bus.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../lib/metrics/metrics.ts'
import { useRedis } from '../../testing/redis-server.ts'
import { createWindowCounter } from './rate-limit.ts'
import { connectToRedis, createEventRelay, type Redis } from './redis.ts'

type Events = { told: { n: number }; said: { text: string } }
const server = useRedis()
const secretKey = 's'.repeat(32)
const open: Redis[] = []
afterEach(async () => {
  for (const redis of open.splice(0)) await redis.close()
})
beforeEach(async () => {
  await server.kill()
  await server.start()
})

async function connect(lines: string[] = [], key = secretKey) {
  const log = { warn: (_details: object, line: string) => lines.push(line), info: (line: string) => lines.push(line) }
  const metrics = createMetrics()
  const redis = await connectToRedis({ url: server.url, secretKey: key, log: log as never, metrics })
  open.push(redis)
  const bus = new EventBus<Events>(createEventRelay(redis, { secretKey: key, log: createLog('silent') }))
  const gauge = async () => (await metrics.redisUp.get()).values[0]?.value
  return { redis, bus, gauge, lines }
}

const isUp = (redis: Redis) => expect.poll(() => redis.isUp())

async function untilHeard(from: EventBus<Events>, to: EventBus<Events>): Promise<void> {
  let heard = false
  to.onAny('told', () => {
    heard = true
  })
  await expect
    .poll(() => {
      from.emit('told', { n: -1 })
      return heard
    })
    .toBe(true)
}

it('hears nothing of an event that only a newer version knows, and goes on', async () => {
  const [newer, older] = [await connect(), await connect()]
  await untilHeard(newer.bus, older.bus)
  const heard: number[] = []
  older.bus.onAny('told', ({ n }) => void heard.push(n))
  const withMore = newer.bus as unknown as EventBus<Events & { renamed: { to: string } }>
  withMore.emit('renamed', { to: 'x' })
  newer.bus.emit('told', { n: 7 })
  await expect.poll(() => heard).toContain(7)
})

it('sends nothing readable, and believes nobody without the secret', async () => {
  const [a, stranger] = [await connect(), await connect([], 'x'.repeat(32))]
  const spy = createClient({ url: server.url })
  await spy.connect()
  const seen: [string, string][] = []
  await spy.pSubscribe('*', (message, channel) => seen.push([channel, message]))
  const heard: string[] = []
  a.bus.onAny('said', ({ text }) => heard.push(text))
  stranger.bus.emit('said', { text: 'of another installation' })
  await expect.poll(() => seen.length).toBe(1)
  const other = seen[0]?.[0] ?? ''
  a.bus.emit('said', { text: 'Ada Byron has 7 points' })
  await expect.poll(() => seen.length).toBe(2)
  const [channel = '', message = ''] = seen[1] ?? []
  expect(channel).not.toBe(other)
  expect(Buffer.from(message, 'base64').toString('latin1')).not.toContain('Ada')
  await spy.publish(channel, seen[0]?.[1] ?? '')
  await spy.publish(channel, JSON.stringify({ from: 'x', event: { name: 'said', payload: { text: 'forged' } } }))
  await expect.poll(() => seen.length).toBe(4)
  const b = await connect()
  await untilHeard(b.bus, a.bus)
  expect(heard).toEqual(['Ada Byron has 7 points'])
  spy.destroy()
})

it('goes on without Redis, says once that it is away and once that it is back, and that events may be missing', async () => {
  const a = await connect()
  const b = await connect()
  await untilHeard(a.bus, b.bus)
  const gaps: string[] = []
  a.bus.onGap(() => gaps.push('a'))
  b.bus.onGap(() => gaps.push('b'))
  const here: string[] = []
  a.bus.onAny('said', ({ text }) => here.push(text))
  expect([a.bus.hearsAll(), await a.gauge()]).toEqual([true, 1])
  await server.kill()
  await expect.poll(() => [a.redis.isUp(), b.redis.isUp()]).toEqual([false, false])
  a.bus.emit('said', { text: 'alone' })
  expect(here).toEqual(['alone'])
  expect([a.bus.hearsAll(), await a.gauge(), await a.redis.attempt((client) => client.ping())]).toEqual([
    false,
    0,
    null,
  ])
  await server.start()
  for (const { redis } of [a, b]) await isUp(redis).toBe(true)
  // Once more for what the other could not send, if it was back later.
  await expect.poll(() => new Set(gaps)).toEqual(new Set(['a', 'b']))
  await untilHeard(a.bus, b.bus)
  await untilHeard(b.bus, a.bus)
  expect(await a.gauge()).toBe(1)
  expect(a.lines).toEqual([expect.stringContaining('Redis is away'), 'Redis is back'])
})

it('starts while Redis is away, and hears others once it is there', async () => {
  await server.kill()
  const a = await connect()
  expect(a.redis.isUp()).toBe(false)
  await server.start()
  const b = await connect()
  await isUp(a.redis).toBe(true)
  await untilHeard(b.bus, a.bus)
  expect(a.lines).toHaveLength(2)
})

it('does not wait for a Redis that hangs', async () => {
  const { redis, lines } = await connect()
  server.hang()
  const began = performance.now()
  expect(await redis.attempt((client) => client.ping())).toBe(null)
  expect(performance.now() - began).toBeLessThan(2_000)
  // Noticed by pings.
  await expect.poll(() => redis.isUp()).toBe(false)
  server.resume()
  await isUp(redis).toBe(true)
  expect(lines).toHaveLength(2)
})

it('counts in all processes together, in the window of the first hit', async () => {
  const [a, b] = [await connect(), await connect()]
  const counterOf = ({ redis }: { redis: Redis }, windowMs = 60_000) => createWindowCounter('some', windowMs, redis)
  const [here, there] = [counterOf(a), counterOf(b)]
  const first = await here.hit('192.0.2.1')
  const second = await there.hit('192.0.2.1')
  expect([first.hits, second.hits, (await here.hit('192.0.2.2')).hits]).toEqual([1, 2, 1])
  expect(Math.abs(first.resetsAt - second.resetsAt)).toBeLessThan(2_000)
  await there.undo('192.0.2.1')
  expect((await here.hit('192.0.2.1')).hits).toBe(2)
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? here : there).hit('many')))
  expect(all.map(({ hits }) => hits).sort((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  // What is stored names nobody and expires.
  const keys = (await a.redis.attempt((client) => client.keys('assay:*'))) ?? []
  expect(keys.length).toBe(3)
  expect(keys.join()).not.toContain('192.0.2')
  expect(await a.redis.attempt((client) => client.dbSize())).toBe(3)
  const short = counterOf(a, 50)
  await short.forget('192.0.2.1')
  await short.hit('192.0.2.1')
  await expect.poll(async () => (await counterOf(b, 50).hit('192.0.2.1')).hits, { interval: 120 }).toBe(1)
})
