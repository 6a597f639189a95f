import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { type LtiContextDoc, LtiContextModel } from '../launches/context.model.ts'
import { shareOf } from '../outgoing/share.ts'
import { syncFrom } from './read-roster.ts'
import { endSync, newReport } from './sync-report.ts'

/** What the queue needs to know; what the job does is said in `roster-sync.ts`. */
export const kind = {
  name: 'sync-lms-roster',
  payload: z.object({ contextId: z.number(), startedAt: z.iso.datetime() }),
}

const groupOf = (contextId: number) => `lms-roster:${contextId}`

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
    { $set: { roster: newReport(startedAt), sync: syncFrom(context, startedAt, believe) } },
  )
  if (begun.modifiedCount === 0) return false
  await enqueue([{ ...context, sync: { started_at: startedAt } }], services)
  return true
}

type Begun = Pick<LtiContextDoc, '_id' | 'platform_id'> & { sync?: { started_at: Date } | null }

function enqueue(contexts: Begun[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rows = contexts.flatMap(({ _id, platform_id, sync }) => {
    const startedAt = sync?.started_at.toISOString()
    // Each sync has a key of its own: the last one's job may be a moment from being taken out of the queue.
    const names = { key: `${_id}:${startedAt}`, group: groupOf(_id), share: shareOf(platform_id) }
    const row = { ...names, payload: { contextId: _id, startedAt } }
    return startedAt ? [row] : []
  })
  return jobs.add(kind, rows)
}

/** At start: for a process that died between beginning a sync and queueing it. */
export async function resumeRosterSyncs(services: Pick<Services, 'jobs'>): Promise<void> {
  await enqueue(
    await LtiContextModel.find({ 'roster.state': 'running' }, { platform_id: 1, sync: 1 }).lean(),
    services,
  )
}

/** What was read stays. False when none was under way. */
export async function stopRosterSync(
  { _id, sync }: LtiContextDoc,
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
): Promise<boolean> {
  if (!sync || !(await endSync(_id, sync.started_at, { state: 'stopped' }, clock.now()))) return false
  await jobs.cancel(groupOf(_id))
  return true
}
