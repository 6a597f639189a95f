import { expect, it } from 'vitest'
import { createBoundedQueue, QueueFull } from './bounded-queue.ts'

function setUp() {
  const queue = createBoundedQueue({ max: 2, maxWaiting: 3 })
  const order: string[] = []
  const ends = new Map<string, () => void>()
  let most = 0
  const call = (name: string, options?: { first?: boolean }) =>
    queue.run(async () => {
      order.push(name)
      most = Math.max(most, ends.size + 1)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      ends.delete(name)
    }, options)
  return { call, order, ends, most: () => most }
}

it('runs so many at once, those that go first before the others', async () => {
  const { call, order, ends, most } = setUp()
  const all = ['a', 'b', 'c', 'd'].map((name) => call(name))
  all.push(call('known', { first: true }))
  for (let ended = 0; ended < 5; ended++) {
    await expect.poll(() => ends.size).toBeGreaterThan(0)
    ends.get(order.find((name) => ends.has(name)) ?? '')?.()
    await expect.poll(() => order.length).toBe(Math.min(5, ended + 3))
  }
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'known', 'c', 'd'])
  expect(most()).toBe(2)
})

it('refuses more than may wait, and still takes those that go first', async () => {
  const { call, ends } = setUp()
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => call(name))
  await expect(call('f')).rejects.toThrow(QueueFull)
  all.push(call('known', { first: true }))
  let done = false
  const finished = Promise.all(all).then(() => {
    done = true
  })
  while (!done) {
    for (const end of ends.values()) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await finished
})
