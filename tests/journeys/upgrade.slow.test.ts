import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SubmissionDoc } from '../../server/src/records/submissions/submission.model.ts'
import { nextVersion } from '../../server/src/testing/server-process.ts'
import { type ProductCluster, startClusterOf } from './support/product-cluster.ts'
import { startLoad } from './support/school-load.ts'

let cluster: ProductCluster
beforeAll(async () => {
  const parts = ['webA', 'webB', 'workerA', 'workerB'] as const
  cluster = await startClusterOf({ parts, version: { name: 'old' }, environment: { LOG_LEVEL: 'error' } })
})
afterAll(() => cluster?.stop())

it('replaces workers and webs one by one with a version that adds to stored data, without a failed request', async () => {
  const load = await startLoad(cluster)
  const next = { name: 'next', environment: nextVersion('all') }
  for (const part of ['workerA', 'workerB', 'webA', 'webB'] as const) {
    await cluster.replace(part, next)
    // Each is asked before the next one is replaced.
    const asked = load.requests.length
    await expect.poll(() => load.requests.length).toBeGreaterThan(asked + 20)
  }
  await load.end()
  expect(load.requests.filter(({ problem }) => problem !== null)).toEqual([])
  const answeredBy = Map.groupBy(load.requests, ({ version }) => version)
  expect([...answeredBy.keys()].sort()).toEqual(['next', 'old'])
  expect([load.lostGrades, load.lostPapers]).toEqual([0, 0])
  expect(load.sockets.reconnected).toBeGreaterThan(0)
  await expect.poll(load.countOpenSockets).toBe(20)

  const connection = await mongoose.createConnection(cluster.databaseUrl).asPromise()
  try {
    const submissions = connection.collection<SubmissionDoc>('submissions')
    const papers = await submissions.find({ assignment_id: { $in: load.assignmentIds } }).toArray()
    expect(papers.map(({ grade }) => grade?.times_graded)).toEqual(papers.map(() => 1))
    // Once: those who registered before the migration ran.
    expect(await connection.collection('users').countDocuments({ next: 1 })).toBeGreaterThan(4)
    expect(await connection.collection('users').countDocuments({ next: { $gt: 1 } })).toBe(0)
  } finally {
    await connection.close()
    load.close()
  }
})
