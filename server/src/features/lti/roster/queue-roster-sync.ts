import { z } from 'zod'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import type { Services } from '../../../services.ts'
import { platformFairShareKey } from '../platform-client/platform-fair-share.ts'
import { newRosterSync } from './import-roster.ts'
import { finishSync, newReport } from './sync-report.ts'

export const rosterSyncJobKind = {
  name: 'sync-lms-roster',
  payload: z.object({ contextId: z.number(), startedAt: z.iso.datetime() }),
}

const jobGroup = (contextId: number) => `lms-roster:${contextId}`

/** @returns false when one is running, the course is not bound to one of ours, or the LMS has no list */
export async function queueRosterSync(
  contextId: number,
  services: Pick<Services, 'jobs' | 'clock'>,
  { acceptShortList = false }: { acceptShortList?: boolean } = {},
): Promise<boolean> {
  const context = await LtiContextModel.findById(contextId).lean()
  if (!context || context.course_id === null || context.memberships_url === null) return false
  const now = services.clock.now()
  // Of two concurrent requests one starts it. The start time identifies a sync, so it must be unique per course.
  const startedAt = new Date(Math.max(now.getTime(), (context.sync?.started_at.getTime() ?? 0) + 1))
  const started = await LtiContextModel.updateOne(
    { _id: contextId, 'roster.state': { $ne: 'running' } },
    { $set: { roster: newReport(startedAt), sync: newRosterSync(context, startedAt, acceptShortList) } },
  )
  if (started.modifiedCount === 0) return false
  await enqueueSyncs([{ ...context, sync: { started_at: startedAt } }], services)
  return true
}

type StartedSync = Pick<LtiContextDoc, '_id' | 'platform_id'> & { sync?: { started_at: Date } | null }

function enqueueSyncs(contexts: StartedSync[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rows = contexts.flatMap(({ _id, platform_id, sync }) => {
    const startedAt = sync?.started_at.toISOString()
    // Each sync has its own key: the last one's job may not have left the queue yet.
    const names = { key: `${_id}:${startedAt}`, group: jobGroup(_id), fairShareKey: platformFairShareKey(platform_id) }
    const row = { ...names, payload: { contextId: _id, startedAt } }
    return startedAt ? [row] : []
  })
  return jobs.add(rosterSyncJobKind, rows)
}

/** For a process that died between starting a sync and queueing it. */
export async function resumeRosterSyncs(services: Pick<Services, 'jobs'>): Promise<void> {
  await enqueueSyncs(
    await LtiContextModel.find({ 'roster.state': 'running' }, { platform_id: 1, sync: 1 }).lean(),
    services,
  )
}

/** Imported pages stay. False when none was running. */
export async function stopRosterSync(
  { _id, sync }: LtiContextDoc,
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
): Promise<boolean> {
  if (!sync || !(await finishSync(_id, sync.started_at, { state: 'stopped' }, clock.now()))) return false
  await jobs.cancel(jobGroup(_id))
  return true
}
