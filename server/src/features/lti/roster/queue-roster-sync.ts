import { z } from 'zod'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import type { Services } from '../../../services.ts'
import { platformFairShareKey } from '../platform-client/platform-fair-share.ts'
import { newRosterSync } from './import-roster.ts'
import { finishSync, newReport } from './sync-report.ts'

/** What the queue needs to know; what the job does is said in `roster-sync.ts`. */
export const rosterSyncJobKind = {
  name: 'sync-lms-roster',
  payload: z.object({ contextId: z.number(), startedAt: z.iso.datetime() }),
}

const jobGroup = (contextId: number) => `lms-roster:${contextId}`

/**
 * Begins a sync of an LMS course's roster, unless one is under way, which then goes on. Of a course that is not tied to one of ours,
 * or whose LMS lists nobody, nothing is synced.
 * @returns false where none was begun
 */
export async function queueRosterSync(
  contextId: number,
  services: Pick<Services, 'jobs' | 'clock'>,
  { believe = false }: { believe?: boolean } = {},
): Promise<boolean> {
  const context = await LtiContextModel.findById(contextId).lean()
  if (!context || context.course_id === null || context.memberships_url === null) return false
  const now = services.clock.now()
  // Of two who ask at once one begins it. No two syncs of a course have the same moment: by it they are told apart.
  const startedAt = new Date(Math.max(now.getTime(), (context.sync?.started_at.getTime() ?? 0) + 1))
  const begun = await LtiContextModel.updateOne(
    { _id: contextId, 'roster.state': { $ne: 'running' } },
    { $set: { roster: newReport(startedAt), sync: newRosterSync(context, startedAt, believe) } },
  )
  if (begun.modifiedCount === 0) return false
  await enqueueSyncs([{ ...context, sync: { started_at: startedAt } }], services)
  return true
}

type StartedSync = Pick<LtiContextDoc, '_id' | 'platform_id'> & { sync?: { started_at: Date } | null }

function enqueueSyncs(contexts: StartedSync[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rows = contexts.flatMap(({ _id, platform_id, sync }) => {
    const startedAt = sync?.started_at.toISOString()
    // Each sync has a key of its own: the last one's job may be a moment from being taken out of the queue.
    const names = { key: `${_id}:${startedAt}`, group: jobGroup(_id), fairShareKey: platformFairShareKey(platform_id) }
    const row = { ...names, payload: { contextId: _id, startedAt } }
    return startedAt ? [row] : []
  })
  return jobs.add(rosterSyncJobKind, rows)
}

/** At start: for a process that died between beginning a sync and queueing it. */
export async function resumeRosterSyncs(services: Pick<Services, 'jobs'>): Promise<void> {
  await enqueueSyncs(
    await LtiContextModel.find({ 'roster.state': 'running' }, { platform_id: 1, sync: 1 }).lean(),
    services,
  )
}

/** What was read stays. False when none was under way. */
export async function stopRosterSync(
  { _id, sync }: LtiContextDoc,
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
): Promise<boolean> {
  if (!sync || !(await finishSync(_id, sync.started_at, { state: 'stopped' }, clock.now()))) return false
  await jobs.cancel(jobGroup(_id))
  return true
}
