import { z } from 'zod'
import { type BackgroundWork, repeatedWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { Services } from '../../services.ts'
import { applyRetention } from './apply-retention.ts'

const LOOK_EVERY_MS = 6 * 60 * 60 * 1000
const job = { name: 'apply-retention', payload: z.object({}) } as const

/** Several times a day, in one process at a time. */
export function retentionWork(services: Services): BackgroundWork {
  const options = { log: services.log, failure: 'the retention rules could not be queued' }
  return {
    jobs: [defineJob({ ...job, attempts: 3, pool: 'io', run: (_, signal) => applyRetention(services, signal) })],
    ...repeatedWork(LOOK_EVERY_MS, () => queueRetention(services), options),
  }
}

/** With a constant key, so that the queue runs one at a time, however many processes ask for it. */
export function queueRetention({ jobs }: Pick<Services, 'jobs'>): Promise<void> {
  return jobs.add(job, [{ key: 'all', group: 'retention', payload: {} }])
}
