import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { startRedis } from '../../server/src/testing/redis-server.ts'
import { BENCH_JOB, JOBS } from './bench-job.ts'

const workerPath = fileURLToPath(new URL('./bullmq-worker.ts', import.meta.url))

/**
 * As many jobs that do nothing, by BullMQ on a Redis that syncs each write, as a queue must that loses none: jobs a second with one process
 * and with eight.
 */
export async function measureBullmq(): Promise<{ workers: number; perSecond: number }[]> {
  const redis = await startRedis({ synced: true })
  try {
    return [await measure(redis.url, 1), await measure(redis.url, 8)]
  } finally {
    await redis.stop()
  }
}

async function measure(url: string, workers: number): Promise<{ workers: number; perSecond: number }> {
  const name = `bench-${workers}`
  const connection = new Redis(socketOf(url), { maxRetriesPerRequest: null })
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
  await queue.addBulk(Array.from({ length: JOBS }, (_, n) => ({ name: BENCH_JOB.name, data: { n } })))
  const children = await Promise.all(Array.from({ length: workers }, () => startWorker(url, name)))
  const began = performance.now()
  for (const child of children) child.send('begin')
  for (;;) {
    const { waiting = 0, active = 0 } = await queue.getJobCounts('waiting', 'active')
    if (waiting + active === 0) break
    await sleep(20)
  }
  const seconds = (performance.now() - began) / 1000
  for (const child of children) child.disconnect()
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
  await queue.close()
  connection.disconnect()
  return { workers, perSecond: JOBS / seconds }
}

async function startWorker(url: string, name: string): Promise<ChildProcess> {
  const child = fork(workerPath, [url, name], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  await once(child, 'message')
  return child
}

/** @param url `unix://…` */
export const socketOf = (url: string): string => url.slice('unix://'.length)
