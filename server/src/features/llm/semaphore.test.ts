import { expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** Those who come to a door, and may be let out again. */
function visitors() {
  const door = new Semaphore()
  let inside = 0
  const leave: (() => void)[] = []
  const stay = () => {
    inside++
    return new Promise<void>((resolve) => leave.push(() => resolve(void inside--)))
  }
  return {
    come: (most: number, signal?: AbortSignal) => door.pass(most, stay, signal),
    leave: () => leave.shift()?.(),
    inside: () => inside,
  }
}

it('lets so many in, and the next when one leaves', async () => {
  const { come, leave, inside } = visitors()
  const all = Array.from({ length: 5 }, () => come(2))
  await expect.poll(inside).toBe(2)
  for (const _ of all) {
    leave()
    await expect.poll(inside).toBeLessThanOrEqual(2)
  }
  leave()
  leave()
  await Promise.race(all)
})

it('lets those who wait come in as well, once settings let more in', async () => {
  const { come, leave, inside } = visitors()
  for (let n = 0; n < 8; n++) void come(1)
  await expect.poll(inside).toBe(1)
  void come(6)
  await expect.poll(inside).toBe(6)
  // And fewer, when they let in fewer.
  void come(3)
  for (const left of [5, 4, 3]) {
    leave()
    await expect.poll(inside).toBe(left)
  }
  leave()
  await expect.poll(inside).toBe(3)
})

it('leaves the place of one who is stopped while it waits to the next', async () => {
  const { come, leave, inside } = visitors()
  void come(1)
  const stop = new AbortController()
  const stopped = come(1, stop.signal)
  let third = false
  void come(1).then(() => {
    third = true
  })
  stop.abort(new Error('the run was stopped'))
  await expect(stopped).rejects.toThrow('the run was stopped')
  await expect.poll(inside).toBe(1)
  leave()
  await expect.poll(inside).toBe(1)
  leave()
  await expect.poll(() => third).toBe(true)
})
