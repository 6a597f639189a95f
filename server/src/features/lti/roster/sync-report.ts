import type { RosterReport } from '@assay/shared/lti/lti.ts'
import type { QueryFilter } from 'mongoose'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import type { SyncOutcome } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { scopes } from '../platform-client/access-token.ts'

const MAX_NOTES = 20

export function newReport(startedAt: Date): RosterReport {
  return {
    state: 'running',
    started_at: startedAt.toISOString(),
    finished_at: null,
    listed: 0,
    created: 0,
    changed: 0,
    returned: 0,
    suspended: 0,
    unchanged: 0,
    unreadable: 0,
    missing: 0,
    problem: null,
    notes: [],
  }
}

/** A sync that was stopped or restarted does not match. */
export const runningSyncFilter = (contextId: number, startedAt: Date): QueryFilter<LtiContextDoc> => ({
  _id: contextId,
  'roster.state': 'running',
  'sync.started_at': startedAt,
})

export function addPageToReport(
  report: RosterReport,
  page: { listed: number; outcomes: SyncOutcome[]; unreadable: { message: string }[] },
): RosterReport {
  const sum: RosterReport = {
    ...report,
    listed: report.listed + page.listed,
    unreadable: report.unreadable + page.unreadable.length,
    notes: [...report.notes, ...page.unreadable.map(({ message }) => message)].slice(0, MAX_NOTES),
    problem: null,
  }
  for (const outcome of page.outcomes) sum[outcome] += 1
  return sum
}

export async function finishSync(
  contextId: number,
  startedAt: Date,
  ending: Partial<RosterReport> & { state: 'done' | 'doubtful' | 'failed' | 'stopped' },
  now: Date,
): Promise<boolean> {
  const filter = runningSyncFilter(contextId, startedAt)
  const context = await LtiContextModel.findOne(filter, { roster: 1, sync_failures: 1 }).lean()
  if (!context?.roster) return false
  const failures = ending.state === 'failed' ? (context.sync_failures ?? 0) + 1 : 0
  const roster = { ...context.roster, problem: null, ...ending, finished_at: now.toISOString() }
  const due = failures > 0 ? nextSyncRetry(contextId, failures, now) : nextNightlySync(contextId, now)
  const set = { roster, sync_failures: failures, sync_due_at: due }
  return (await LtiContextModel.updateOne(filter, { $set: set })).matchedCount > 0
}

const HOUR_MS = 60 * 60_000
/** From 1 to 5, server time; each course has its minute, to spare the LMS a burst. */
const FROM_HOUR = 1
const MINUTES = 4 * 60

/** A prime factor spreads courses created in sequence. */
export function nextNightlySync(contextId: number, now: Date): Date {
  const at = new Date(now)
  at.setHours(FROM_HOUR, (contextId * 101) % MINUTES, 0, 0)
  if (at <= now) at.setDate(at.getDate() + 1)
  return at
}

/** A few times within hours, then nightly. */
export function nextSyncRetry(contextId: number, failures: number, now: Date): Date {
  const night = nextNightlySync(contextId, now)
  const soon = new Date(now.getTime() + failures * HOUR_MS)
  return failures > 3 || night < soon ? night : soon
}

/** For people, with what to do; null when the roster can be synced. */
export function findSyncBlocker(
  context: Pick<LtiContextDoc, 'memberships_url'>,
  platform: Pick<LtiPlatformDoc, 'name' | 'status' | 'scopes'> | null,
): string | null {
  if (platform?.status !== 'active')
    return `${platform?.name ?? 'The LMS'} is not active in Assay. An administrator can change that under LMS.`
  const refuses = platform.scopes !== null && !platform.scopes.includes(scopes.members)
  if (context.memberships_url === null || refuses)
    return `${platform.name} does not share its roster with Assay. Its administrator can allow “Names and Role Provisioning Services” for Assay; then open Assay from the course again. Until then, people are added when they open Assay from the course.`
  return null
}
