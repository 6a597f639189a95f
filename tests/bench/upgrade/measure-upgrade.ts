import { setTimeout as sleep } from 'node:timers/promises'
import mongoose from 'mongoose'
import type { SubmissionDoc } from '../../../server/src/records/submissions/submission.model.ts'
import { startFakeLlm } from '../../fake-llm/fake-llm.ts'
import {
  clusterParts,
  type ProductCluster,
  type ProductVersion,
  startClusterOf,
} from '../../journeys/support/product-cluster.ts'
import { type Load, type Request, startLoad } from '../../journeys/support/school-load.ts'
import { checkOut } from './check-out.ts'

const STEADY_MS = 5_000
const AI_KEY = 'a-key-for-the-fake'

interface Direction {
  name: string
  requests: Request[]
  sockets: Load['sockets'] & { open: number }
  papers: { handedIn: number; gradedOnce: number }
  lostGrades: number
  lostPapers: number
  /** Until all were replaced. */
  seconds: number
}

export interface UpgradeCost {
  from: string
  samePackages: boolean
  directions: Direction[]
  /** Prompts that were paid for more than once. */
  paidTwice: number
  migrations: string[]
}

/**
 * Replaces all processes of another version by this one under load, and then this one by the other again.
 * @param revision as in `checkOut`
 */
export async function measureUpgrade(revision: string | null): Promise<UpgradeCost> {
  const old = await checkOut(revision)
  const llm = await startFakeLlm({ latencyMs: 200, idempotency: true, key: AI_KEY })
  const environment = {
    AI_PROVIDER: 'openai',
    AI_MODEL: 'gpt-5-mini',
    AI_BASE_URL: llm.baseUrlOf('openai'),
    AI_API_KEY: AI_KEY,
    LOG_LEVEL: 'error',
    INSTRUCTOR_REGISTRATION: 'open',
  }
  const parts = clusterParts.filter((part) => part !== 'gateway')
  try {
    const cluster = await startClusterOf({ parts, version: old, environment })
    try {
      const now: ProductVersion = { name: 'this' }
      const upgrade = await replaceAll(cluster, `${old.name} → this`, now, ['workerA', 'workerB', 'webA', 'webB'])
      const rollback = await replaceAll(cluster, `this → ${old.name}`, old, ['webA', 'webB', 'workerA', 'workerB'])
      return {
        from: old.name,
        samePackages: old.samePackages,
        directions: [upgrade, rollback],
        paidTwice: llm.records.billedTwice().length,
        migrations: await inDatabase(cluster, async (connection) =>
          (await connection.collection<{ _id: string }>('migrations').find().toArray()).map(({ _id }) => _id),
        ),
      }
    } finally {
      await cluster.stop()
    }
  } finally {
    await llm.stop()
    await old.remove()
  }
}

async function replaceAll(
  cluster: ProductCluster,
  name: string,
  version: ProductVersion,
  order: Parameters<ProductCluster['replace']>[0][],
): Promise<Direction> {
  const load = await startLoad(cluster)
  await sleep(STEADY_MS)
  const began = performance.now()
  for (const part of order) await cluster.replace(part, version)
  const seconds = (performance.now() - began) / 1000
  await sleep(STEADY_MS)
  await load.end()
  const papers = await inDatabase(cluster, async (connection) => {
    const stored = connection.collection<SubmissionDoc>('submissions')
    const all = await stored.find({ assignment_id: { $in: load.assignmentIds } }).toArray()
    return { handedIn: all.length, gradedOnce: all.filter(({ grade }) => grade?.times_graded === 1).length }
  })
  const { requests, lostGrades, lostPapers } = load
  const sockets = { ...load.sockets, open: load.countOpenSockets() }
  load.close()
  return { name, requests, sockets, lostGrades, lostPapers, papers, seconds }
}

async function inDatabase<T>(
  { databaseUrl }: ProductCluster,
  work: (connection: mongoose.Connection) => Promise<T>,
): Promise<T> {
  const connection = await mongoose.createConnection(databaseUrl).asPromise()
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
