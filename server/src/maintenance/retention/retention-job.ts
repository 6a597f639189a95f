import { z } from 'zod'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import { type BackgroundWork, repeatedWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { Services } from '../../services.ts'
import { deleteDueWork } from './delete-due-work.ts'
import { mailNotices } from './mail-notices.ts'
import { findNoticed, giveAllNotices, withdrawNotices } from './retention-notices.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

const review = { name: 'review-retention', payload: z.object({ all: z.boolean() }) } as const
const deletion = { name: 'delete-due-work', payload: z.object({ assignmentId: z.number() }) } as const

/**
 * Queues a look at the notices there are: mails those that are new, takes back those that no longer hold, deletes where one has run out. `all`
 * also looks for what has become due in the whole school.
 */
export async function queueRetentionReview({ jobs }: Services, { all }: { all: boolean }): Promise<void> {
  await jobs.trigger(review, [{ key: all ? 'all' : 'notices', group: 'retention', payload: { all } }])
}

async function reviewRetention(all: boolean, services: Services, signal: AbortSignal): Promise<void> {
  if (all) await giveAllNotices(services, signal)
  const noticed = await withdrawNotices(await findNoticed(), services)
  signal.throwIfAborted()
  await mailNotices(noticed, services)
  const now = services.clock.now()
  const due = noticed.filter(({ retention_notice: { deleting, delete_at } }) => deleting || delete_at <= now)
  await services.jobs.add(
    deletion,
    due.map(({ _id }) => ({ key: `${_id}`, group: `retention/${_id}`, payload: { assignmentId: _id } })),
  )
}

/** Once a day all assignments, once an hour those with a notice, in one process at a time. */
export function retentionWork(services: Services): BackgroundWork[] {
  const jobs = [
    defineJob({
      ...review,
      attempts: 3,
      pool: 'io',
      // Notices and mails are given once, however many processes look.
      run: ({ all }, signal) =>
        withDatabaseLock(
          'retention',
          (lost) => reviewRetention(all, services, AbortSignal.any([signal, lost])),
          signal,
        ),
    }),
    defineJob({
      ...deletion,
      attempts: 5,
      pool: 'io',
      run: ({ assignmentId }, signal) => deleteDueWork(assignmentId, services, signal),
    }),
  ]
  const options = { log: services.log, failure: 'the retention review could not be queued' }
  return [
    { jobs, ...repeatedWork(DAY_MS, () => queueRetentionReview(services, { all: true }), options) },
    {
      jobs: [],
      ...repeatedWork(HOUR_MS, () => queueRetentionReview(services, { all: false }), { ...options, atStart: false }),
    },
  ]
}
