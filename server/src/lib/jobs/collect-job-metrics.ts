import type { Metrics } from '../metrics/metrics.ts'
import { JobModel } from './job.model.ts'

async function countJobs(filter: object) {
  return JobModel.aggregate<{ _id: string; count: number; oldest: Date }>([
    { $match: filter },
    { $group: { _id: '$name', count: { $sum: 1 }, oldest: { $min: '$run_at' } } },
  ])
}

export const countDueJobs = (now: Date) => countJobs({ status: 'queued', run_at: { $lte: now } })

export async function collectJobMetrics(
  { jobs, oldestJobSeconds }: Pick<Metrics, 'jobs' | 'oldestJobSeconds'>,
  now: Date,
): Promise<void> {
  const [due, deferred, running] = await Promise.all([
    countDueJobs(now),
    countJobs({ status: 'queued', run_at: { $gt: now } }),
    countJobs({ status: 'running' }),
  ])
  jobs.reset()
  for (const [state, counts] of Object.entries({ due, deferred, running }))
    for (const { _id: job_name, count } of counts) jobs.set({ job_name, state }, count)
  oldestJobSeconds.reset()
  for (const { _id: job_name, oldest } of due)
    oldestJobSeconds.set({ job_name }, (now.getTime() - oldest.getTime()) / 1000)
}
