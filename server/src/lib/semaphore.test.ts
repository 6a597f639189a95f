import { expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

function calls() {
  const semaphore = new Semaphore()
  let running = 0
  const end: (() => void)[] = []
  const call = () => {
    running++
    return new Promise<void>((resolve) => end.push(() => resolve(void running--)))
  }
  return {
    start: (max: number, signal?: AbortSignal) => semaphore.run(max, call, signal),
    end: () => end.shift()?.(),
    running: () => running,
  }
}

it('runs so many, and the next when one ends', async () => {
  const { start, end, running } = calls()
  const all = Array.from({ length: 5 }, () => start(2))
  await expect.poll(running).toBe(2)
  for (const _ of all) {
    end()
    await expect.poll(running).toBeLessThanOrEqual(2)
  }
  end()
  end()
  await Promise.race(all)
})

it('runs waiting calls as well, once the limit is raised', async () => {
  const { start, end, running } = calls()
  for (let n = 0; n < 8; n++) void start(1)
  await expect.poll(running).toBe(1)
  void start(6)
  await expect.poll(running).toBe(6)
  void start(3)
  for (const left of [5, 4, 3]) {
    end()
    await expect.poll(running).toBe(left)
  }
  end()
  await expect.poll(running).toBe(3)
})

it('gives the slot of a call that is aborted while it waits to the next', async () => {
  const { start, end, running } = calls()
  void start(1)
  const stop = new AbortController()
  const stopped = start(1, stop.signal)
  let third = false
  void start(1).then(() => {
    third = true
  })
  stop.abort(new Error('the run was stopped'))
  await expect(stopped).rejects.toThrow('the run was stopped')
  await expect.poll(running).toBe(1)
  end()
  await expect.poll(running).toBe(1)
  end()
  await expect.poll(() => third).toBe(true)
})

it('does not queue a call that was aborted before', async () => {
  const { start, running } = calls()
  void start(1)
  await expect.poll(running).toBe(1)
  await expect(start(1, AbortSignal.abort(new Error('the run was stopped')))).rejects.toThrow('the run was stopped')
})
