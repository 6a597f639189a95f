import { appendFileSync } from 'node:fs'
import mongoose from 'mongoose'
import { z } from 'zod'
import { JobQueue } from '../../server/src/lib/jobs/job-queue.ts'
import { createLog } from '../../server/src/lib/log.ts'
import { createMetrics } from '../../server/src/lib/metrics/metrics.ts'
import { BENCH_JOB, CLAIMED_AT_ONCE } from './bench-job.ts'

/** `node job-claimer.ts DATABASE_URL FILE`: a worker's queue; writes the number of each job into the file as it runs. Begins when it is told to. */
const [, , url = '', file = ''] = process.argv
await mongoose.connect(url)
const pools = { cpu: { max: () => CLAIMED_AT_ONCE } }
// A short lease, so that what a killed one leaves is not waited for half a minute.
const queue = new JobQueue({ pools, log: createLog('error'), metrics: createMetrics(), leaseMs: 3_000 })
queue.register({
  ...BENCH_JOB,
  attempts: 3,
  pool: 'cpu',
  // Written whole, and kept when this process is killed.
  run: async (payload) => appendFileSync(file, `${z.object({ n: z.number() }).parse(payload).n}\n`),
})
process.once('message', () => void queue.start())
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
