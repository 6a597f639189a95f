import { randomUUID } from 'node:crypto'
import mongoose from 'mongoose'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { useServer } from '../../testing/server.ts'
import { createLog } from '../log.ts'
import { machineId } from '../machine.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { DeferJob, defineJob, type Job } from './job.ts'
import { JobQueue } from './job-queue.ts'
import type { PoolLimits } from './pool-limits.ts'

useServer()

const Payload = z.object({ n: z.number() })
const queues: JobQueue[] = []
let ahead = 0
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop()
  ahead = 0
})

const queueOf = (...jobs: Job[]) => queueWith({}, ...jobs)

interface QueueSettings {
  maxPerKey?: PoolLimits['maxPerKey']
  leaseMs?: number
}

/** Its pool `wide` has a limit for each key. */
function queueFor({ maxPerKey = () => 2, leaseMs = 30_000 }: QueueSettings, ...jobs: Job[]): JobQueue {
  const pools: Record<string, PoolLimits> = {
    cpu: { max: () => 2 },
    io: { max: () => 4 },
    shared: { max: () => 6, maxPerKey: () => 2, acrossProcesses: true },
    wide: { max: () => 320, maxPerKey, minPerKey: 4 },
  }
  const clock = { now: () => new Date(Date.now() + ahead) }
  const queue = new JobQueue({ pools, log: createLog('silent'), metrics: createMetrics(), clock, pollMs: 50, leaseMs })
  queues.push(queue)
  for (const job of jobs) queue.register(job)
  return queue
}

async function queueWith(settings: QueueSettings, ...jobs: Job[]): Promise<JobQueue> {
  const queue = queueFor(settings, ...jobs)
  await queue.start()
  return queue
}

function job(run: Job<typeof Payload>['run'], more: Partial<Job<typeof Payload>> = {}) {
  return defineJob({ name: `test-${randomUUID()}`, payload: Payload, pool: 'cpu', attempts: 3, run, ...more })
}

const rows = (name: string) => mongoose.connection.collection('jobs').find({ name }).toArray()
/** Until the queue has claimed whatever was due in its pool `cpu`: a job stored last, by another process. */
async function untilPolled(queue: JobQueue) {
  const last = job(async () => {})
  queue.register(last)
  await storeRow(last, 'last', { status: 'queued', run_at: new Date(Date.now() + ahead), attempts: 0, claims: 0 })
  await expect.poll(() => rows(last.name), { interval: 10 }).toEqual([])
}
async function storeRow({ name }: Job, key: string, row: object) {
  const stored = { _id: `${name}:${key}`, name, group: key, payload: { n: 1 }, ...row }
  await mongoose.connection.collection<{ _id: string }>('jobs').insertOne(stored)
}
const add = (queue: JobQueue, what: Job, key = 'a') => queue.add(what, [{ key, group: key, payload: { n: 1 } }])
const trigger = (queue: JobQueue, what: Job) => queue.trigger(what, [{ key: 'a', group: 'a', payload: { n: 1 } }])

describe('a job', () => {
  it('runs once, however often it is added', async () => {
    let done = 0
    const once = job(async () => {
      done++
    })
    const queue = await queueOf(once)
    await Promise.all([add(queue, once), add(queue, once), add(queue, once)])
    await expect.poll(() => rows(once.name)).toEqual([])
    expect(done).toBe(1)
  })

  it('that fails is tried as often as it says, then reported as failed once with the last error', async () => {
    let tries = 0
    const given: string[] = []
    const failing = job(
      async () => {
        tries++
        throw new Error(`try ${tries}`)
      },
      { attempts: 2, onFailed: async (_payload, error) => void given.push(String(error)) },
    )
    const queue = await queueOf(failing)
    const begun = Date.now()
    await add(queue, failing)
    await expect.poll(() => rows(failing.name)).toMatchObject([{ status: 'queued', attempts: 1, error: 'try 1' }])
    const [waiting] = await rows(failing.name)
    expect(waiting?.run_at.getTime()).toBeGreaterThanOrEqual(begun + 1000)
    ahead = 1000
    await expect.poll(() => given).toEqual(['Error: try 2'])
    await expect.poll(() => rows(failing.name)).toEqual([])
    expect(tries).toBe(2)
  })

  it('that runs is not claimed again by its own process when its lease looks expired', async () => {
    let taken = 0
    let finish = () => {}
    const slow = job(async ({ n }) => {
      if (n === 2) return
      taken++
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    })
    const queue = await queueOf(slow)
    await add(queue, slow)
    await expect.poll(() => taken).toBe(1)
    await mongoose.connection
      .collection('jobs')
      .updateMany({ name: slow.name }, { $set: { locked_until: new Date(0) } })
    await queue.add(slow, [{ key: 'b', group: 'b', payload: { n: 2 } }])
    await expect.poll(async () => (await rows(slow.name)).length).toBe(1)
    await untilPolled(queue)
    expect((await rows(slow.name)).find(({ _id }) => String(_id).endsWith(':a'))).toMatchObject({ claims: 1 })
    finish()
  })

  it('in one pool runs while another pool is full', async () => {
    const held: string[] = []
    const { promise: released, resolve: finish } = Promise.withResolvers<void>()
    const hold = (name: string) => async () => {
      held.push(name)
      await released
    }
    const [heavy, mail] = [job(hold('heavy')), job(hold('mail'), { pool: 'io' })]
    const queue = await queueOf(heavy, mail)
    for (const key of ['a', 'b', 'c']) await add(queue, heavy, key)
    for (const key of ['a', 'b', 'c', 'd', 'e']) await add(queue, mail, key)
    await expect.poll(() => held.toSorted()).toEqual(['heavy', 'heavy', 'mail', 'mail', 'mail', 'mail'])
    finish()
    await expect.poll(() => held).toHaveLength(8)
  })

  it('runs within its key’s limit, however many with the same key come first', async () => {
    const held: string[] = []
    const releases: (() => void)[] = []
    const holds = job(
      async ({ n }) => {
        held.push(n === 1 ? 'large' : 'small')
        await new Promise<void>((resolve) => releases.push(resolve))
      },
      { pool: 'wide' },
    )
    const most: Record<string, number> = { large: 3, small: 1 }
    const queue = await queueWith({ maxPerKey: (key) => most[key] ?? 1 }, holds)
    const put = (share: string, n: number, keys: string[]) =>
      queue.add(
        holds,
        keys.map((key) => ({ key: `${share}${key}`, group: key, fairShareKey: share, payload: { n } })),
      )
    await put('large', 1, ['a', 'b', 'c', 'd', 'e'])
    await expect.poll(() => held).toEqual(['large', 'large', 'large'])
    await put('small', 2, ['f', 'g'])
    await expect.poll(() => held).toEqual(['large', 'large', 'large', 'small'])
    releases[3]?.()
    await expect.poll(() => held.filter((one) => one === 'small')).toHaveLength(2)
    releases[0]?.()
    await expect.poll(() => held.filter((one) => one === 'large')).toHaveLength(4)
    expect(held).toHaveLength(6)
    most.large = 4
    await put('small', 2, ['h'])
    await expect.poll(() => held.filter((one) => one === 'large')).toHaveLength(5)

    for (const release of releases) release()
    await expect.poll(() => releases.length).toBe(8)
    for (const release of releases) release()
    await expect.poll(async () => rows(holds.name)).toEqual([])
  })

  it('goes before those of a key that has others running', async () => {
    const ran: string[] = []
    const releases: (() => void)[] = []
    const holds = job(async ({ n }) => {
      ran.push(n === 1 ? 'long class' : 'short class')
      await new Promise<void>((resolve) => releases.push(resolve))
    })
    const queue = await queueWith({}, holds)
    const put = (group: string, n: number, keys: string[]) =>
      queue.add(
        holds,
        keys.map((key) => ({ key, group, payload: { n } })),
      )
    await put('long', 1, ['a', 'b', 'c', 'd'])
    await expect.poll(() => releases).toHaveLength(2)
    await put('short', 2, ['e'])
    releases[0]?.()
    await expect.poll(() => ran).toEqual(['long class', 'long class', 'short class'])
    for (const release of releases) release()
    await expect.poll(() => releases).toHaveLength(5)
    for (const release of releases) release()
    await expect.poll(async () => rows(holds.name)).toEqual([])
  })

  it('finds a few slots when one key has filled the pool', async () => {
    const held = { greedy: 0, other: 0 }
    const { promise: released, resolve: finish } = Promise.withResolvers<void>()
    const holds = job(
      async ({ n }) => {
        held[n === 1 ? 'greedy' : 'other']++
        await released
      },
      { pool: 'wide' },
    )
    const queue = await queueWith({ maxPerKey: () => 1000 }, holds)
    const put = (share: string, n: number, count: number) =>
      queue.add(
        holds,
        Array.from({ length: count }, (_, i) => ({
          key: `${share}${i}`,
          group: share,
          fairShareKey: share,
          payload: { n },
        })),
      )
    await put('greedy', 1, 330)
    await expect.poll(() => held.greedy).toBe(320)
    await put('other', 2, 6)
    await expect.poll(() => held.other).toBe(4)
    expect(held.greedy).toBe(320)
    finish()
    await expect.poll(async () => rows(holds.name)).toEqual([])
  })

  it('that can do nothing for now is deferred as often as it likes, without counting as a failure', async () => {
    let tries = 0
    const stubborn = job(async () => {
      tries++
      if (tries < 30) throw new DeferJob(0, 'not now')
    })
    await add(await queueOf(stubborn), stubborn, 'a')
    // More often than it may fail, and than it may be claimed without finishing.
    await expect.poll(() => tries).toBe(30)
    await expect.poll(async () => rows(stubborn.name)).toEqual([])
  })

  it('is deferred with the others of its group, and expedited with them', async () => {
    const done: string[] = []
    const later = job(async ({ n }) => void done.push(`later ${n}`), { pool: 'wide' })
    const queue = await queueOf(later)
    const soon = new Date(Date.now() + 600_000)
    await queue.stop()
    for (const n of [1, 2, 3])
      await queue.add(later, [{ key: `${n}`, group: n === 3 ? 'other' : 'class', payload: { n } }])
    await queue.defer('class', soon)
    await queue.start()
    await expect.poll(() => done).toEqual(['later 3'])
    expect((await rows(later.name)).map((row) => row.run_at)).toEqual([soon, soon])
    await queue.expedite('class')
    await expect.poll(() => done.toSorted()).toEqual(['later 1', 'later 2', 'later 3'])
  })

  it('is no longer deferred when it is triggered', async () => {
    let runs = 0
    const later = job(async () => {
      runs++
      if (runs === 1) throw new DeferJob(600_000, 'later')
    })
    const queue = await queueOf(later)
    await add(queue, later)
    await expect.poll(() => rows(later.name)).toMatchObject([{ status: 'queued', error: 'later' }])
    await add(queue, later)
    await untilPolled(queue)
    expect(runs).toBe(1)
    await trigger(queue, later)
    await expect.poll(() => rows(later.name)).toEqual([])
    expect(runs).toBe(2)
  })

  it.each([
    ['ends', async () => {}],
    [
      'is deferred',
      async () => {
        throw new DeferJob(600_000, 'later')
      },
    ],
    [
      'fails permanently',
      async () => {
        throw new Error('broken')
      },
    ],
  ])('that runs when it is triggered runs once more after it %s', async (_how, end) => {
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const held = job(
      async () => {
        runs++
        if (runs > 1) return
        started.resolve()
        await gate.promise
        await end()
      },
      { attempts: 1 },
    )
    const queue = await queueOf(held)
    await trigger(queue, held)
    await started.promise
    await Promise.all([trigger(queue, held), trigger(queue, held)])
    await untilPolled(queue)
    expect(runs).toBe(1)
    gate.resolve()
    await expect.poll(() => rows(held.name)).toEqual([])
    expect(runs).toBe(2)
  })

  it('renews its lease while it runs, and is aborted when another process has claimed it', async () => {
    let signalled: AbortSignal | undefined
    const gate = Promise.withResolvers<void>()
    const slow = job(async (_payload, signal) => {
      signalled = signal
      await gate.promise
    })
    const queue = await queueWith({ leaseMs: 300 }, slow)
    await add(queue, slow)
    await expect.poll(() => signalled).toBeDefined()
    const lease = async () => (await rows(slow.name))[0]?.locked_until.getTime()
    const first = await lease()
    await expect.poll(lease).toBeGreaterThan(first)
    expect(signalled?.aborted).toBe(false)
    const other = { owner: `elsewhere/1/${randomUUID()}`, locked_until: new Date(Date.now() + 60_000) }
    await mongoose.connection.collection('jobs').updateOne({ name: slow.name }, { $set: other })
    await expect.poll(() => signalled?.aborted).toBe(true)
    gate.resolve()
    await queue.stop()
    expect(await rows(slow.name)).toMatchObject([{ status: 'running', ...other }])
  })

  it('of a process that died is claimed by the next', async () => {
    let done = 0
    const left = job(async () => {
      done++
    })
    const dead = { owner: `${machineId}/99999999/x/y`, locked_until: new Date(Date.now() + 60_000) }
    await storeRow(left, 'a', { status: 'running', run_at: new Date(), attempts: 0, claims: 1, ...dead })
    await queueOf(left)
    await expect.poll(() => done).toBe(1)
  })

  it('of a process elsewhere is claimed once its lease has expired, and not before', async () => {
    const done: number[] = []
    const left = job(async ({ n }) => void done.push(n))
    const queue = await queueOf(left)
    const elsewhere = { owner: 'elsewhere/1/x', status: 'running', run_at: new Date(), attempts: 0, claims: 1 }
    const storeLeased = (n: number, leaseMs: number) =>
      storeRow(left, `${n}`, { ...elsewhere, payload: { n }, locked_until: new Date(Date.now() + leaseMs) })
    await storeLeased(1, 600_000)
    await storeLeased(2, -1)
    await expect.poll(() => done).toEqual([2])
    await untilPolled(queue)
    expect(await rows(left.name)).toMatchObject([{ owner: 'elsewhere/1/x', status: 'running', claims: 1 }])
    ahead = 600_001
    await expect.poll(() => done).toEqual([2, 1])
  })

  it('is aborted when its group is cancelled, and stays queued when its process stops', async () => {
    let ends = 0
    const waiting = job(
      (_payload, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ends++
            reject(signal.reason)
          })
        }),
    )
    const queue = await queueOf(waiting)
    await add(queue, waiting, 'cancelled')
    await add(queue, waiting, 'open')
    await expect.poll(async () => (await rows(waiting.name)).map((row) => row.status)).toEqual(['running', 'running'])
    expect(await queue.hasJobs('cancelled')).toBe(true)
    await queue.cancel('cancelled')
    expect(ends).toBe(1)
    expect(await Promise.all(['cancelled', 'open'].map((group) => queue.hasJobs(group)))).toEqual([false, true])
    await queue.stop()
    expect(await rows(waiting.name)).toMatchObject([{ _id: `${waiting.name}:open`, status: 'queued', attempts: 0 }])
  })

  it('is aborted within a poll when another process cancels it', async () => {
    const signals: AbortSignal[] = []
    const waiting = job(
      (_payload, signal) =>
        new Promise((_resolve, reject) => {
          signals.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    const worker = await queueWith({ leaseMs: 600_000 }, waiting)
    const web = queueFor({}, waiting)
    await add(web, waiting, 'a')
    await add(web, waiting, 'b')
    await expect.poll(() => signals.length).toBe(2)
    await web.cancel('a')
    await expect.poll(() => signals.filter(({ aborted }) => aborted).length).toBe(1)
    expect(await rows(waiting.name)).toMatchObject([{ _id: `${waiting.name}:b`, status: 'running' }])
    await worker.stop()
  })

  it('that runs in another process is waited for by one that drains its group', async () => {
    const gate = Promise.withResolvers<void>()
    let ran = 0
    const slow = job(async () => {
      ran++
      await gate.promise
    })
    const worker = await queueOf(slow)
    // One that stops waits for nobody.
    const other = await queueOf()
    const [first, second] = ['1', '2'].map((key) => ({ key, group: 'drained', payload: { n: 1 } }))
    await add(worker, slow, 'filler')
    await other.add(slow, first ? [first] : [])
    await expect.poll(() => ran).toBe(2)
    await other.add(slow, second ? [second] : [])
    let drained = false
    const draining = other.drain('drained').then(() => {
      drained = true
    })
    await expect.poll(() => rows(slow.name)).toHaveLength(2)
    expect(drained).toBe(false)
    gate.resolve()
    await draining
    expect(ran).toBe(2)
  })

  it('is run once by two processes that both look for it', async () => {
    const runs: number[] = []
    const counted = job(async ({ n }) => void runs.push(n), { pool: 'io' })
    await queueOf(counted)
    const second = await queueOf(counted)
    const keys = Array.from({ length: 200 }, (_, n) => ({ key: `${n}`, group: 'many', payload: { n } }))
    await second.add(counted, keys)
    await expect.poll(() => rows(counted.name)).toEqual([])
    expect(runs.sort((a, b) => a - b)).toEqual(keys.map((_, n) => n))
  })

  it('counts in all processes where its pool has a limit for each key in all of them', async () => {
    const gate = Promise.withResolvers<void>()
    const begun: number[] = []
    const call = job(
      async ({ n }) => {
        begun.push(n)
        await gate.promise
      },
      { pool: 'shared' },
    )
    const first = await queueOf(call)
    const toLms = (n: number, lms: string) => ({ key: `${n}`, group: `${n}`, fairShareKey: lms, payload: { n } })
    await first.add(
      call,
      [1, 2, 3].map((n) => toLms(n, 'moodle')),
    )
    await expect.poll(() => begun).toHaveLength(2)
    const second = await queueOf(call)
    await second.add(call, [toLms(4, 'canvas')])
    await expect.poll(() => begun).toHaveLength(3)
    await untilPolled(second)
    expect(begun).toContain(4)
    expect(begun).toHaveLength(3)
    gate.resolve()
    await expect.poll(() => rows(call.name)).toEqual([])
  })

  it('of a newer version is left to one that knows it and can read its payload, and fails where none ever can', async () => {
    const heard: unknown[] = []
    const known = job(async (payload) => void heard.push(payload))
    const unknown = job(async () => {})
    const queue = await queueOf(known)
    await add(queue, unknown)
    const newer = { payload: { m: 'x' }, status: 'queued', run_at: new Date(), attempts: 2, claims: 0 }
    await storeRow(known, 'newer', newer)
    // Each try would count against it, and an upgrade may take hours.
    const left = { status: 'queued', owner: null, attempts: 2, claims: 0, unreadable_since: expect.any(Date) }
    await expect.poll(() => rows(known.name)).toMatchObject([left])
    await untilPolled(queue)
    expect(await rows(known.name)).toMatchObject([left])
    expect(await rows(unknown.name)).toMatchObject([{ status: 'queued', claims: 0 }])

    await queueOf({ ...known, payload: z.object({ m: z.string() }) } as Job)
    await queue.stop()
    ahead += 60_000
    await expect.poll(() => rows(known.name)).toEqual([])
    expect(heard).toEqual([{ m: 'x' }])

    // Once one could read it, the week begins anew.
    const deferred = job(async () => {
      throw new DeferJob(60_000, 'later')
    })
    await storeRow(deferred, 'read', {
      status: 'queued',
      run_at: new Date(),
      attempts: 0,
      claims: 0,
      unreadable_since: new Date(0),
    })
    const reader = await queueOf(deferred)
    await expect.poll(() => rows(deferred.name)).toMatchObject([{ error: 'later' }])
    expect((await rows(deferred.name))[0]).not.toHaveProperty('unreadable_since')
    await reader.stop()

    const another = job(async () => {})
    const weekAgo = new Date(Date.now() + ahead - 7 * 24 * 60 * 60_000)
    await storeRow(another, 'lost', { ...newer, unreadable_since: weekAgo })
    await queueOf(another)
    await expect.poll(() => rows(another.name)).toEqual([])
  })
})
