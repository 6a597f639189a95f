import type { QueryFilter } from 'mongoose'
import { z } from 'zod'
import { LMS_ACTOR } from '../../../audit/audit.service.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { type BackgroundWork, defineJob, type Job, repeatedWork } from '../../../lib/jobs/job.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { markContextResultsDue } from '../../../records/lti/mark-scores-changed.ts'
import { type LtiMemberDoc, LtiMemberModel, type SyncOutcome } from '../../../records/lti/member.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { courseExists } from '../../courses/course.service.ts'
import { matchCourse } from '../../matching/match-submissions.ts'
import { reconcileEnrolments } from '../contexts/member.service.ts'
import { platformFairShareKey } from '../platform-client/platform-request.ts'
import { platformsById } from '../platforms/platform.service.ts'
import { importNextPages, newRosterSync, type RunningSync } from './import-roster.ts'
import { RosterError } from './nrps/parse-members-page.ts'
import { RosterPageReader } from './nrps/roster-page-reader.ts'
import { findSyncBlocker, finishSync, newReport, nextNightlySync, runningSyncFilter } from './sync-report.ts'

const rosterSyncJobKind = {
  name: 'sync-lms-roster',
  payload: z.object({ contextId: z.number(), startedAt: z.iso.datetime() }),
}

const jobGroup = (contextId: number) => `lms-roster:${contextId}`

/** @returns false when one is running, the course is not bound, or the LMS has no list */
export async function queueRosterSync(
  contextId: number,
  services: Pick<Services, 'jobs' | 'clock'>,
  { acceptShortList = false }: { acceptShortList?: boolean } = {},
): Promise<boolean> {
  const context = await LtiContextModel.findById(contextId).lean()
  if (!context || context.course_id === null || context.memberships_url === null) return false
  const now = services.clock.now()
  const startedAt = new Date(Math.max(now.getTime(), (context.sync?.started_at.getTime() ?? 0) + 1))
  const sync = newRosterSync(context, startedAt, acceptShortList)
  const started = await LtiContextModel.updateOne(
    { _id: contextId, 'roster.state': { $ne: 'running' } },
    { $set: { roster: newReport(startedAt), sync } },
  )
  if (started.modifiedCount === 0) return false
  await enqueueSyncs([{ ...context, sync }], services)
  return true
}

function enqueueSyncs(contexts: LtiContextDoc[], { jobs }: Pick<Services, 'jobs'>): Promise<void> {
  const rows = contexts.flatMap(({ _id, platform_id, sync }) => {
    const startedAt = sync?.started_at.toISOString()
    // The last sync's job may not have left the queue yet.
    const names = { key: `${_id}:${startedAt}`, group: jobGroup(_id), fairShareKey: platformFairShareKey(platform_id) }
    return startedAt ? [{ ...names, payload: { contextId: _id, startedAt } }] : []
  })
  return jobs.add(rosterSyncJobKind, rows)
}

/** The process may have died before queueing it. */
async function resumeRosterSyncs(services: Pick<Services, 'jobs'>): Promise<void> {
  const running = await LtiContextModel.find({ 'roster.state': 'running' }).lean()
  await enqueueSyncs(running, services)
}

export async function stopRosterSync({ _id, sync }: LtiContextDoc, { jobs, clock }: Pick<Services, 'jobs' | 'clock'>) {
  if (!sync || !(await finishSync(_id, sync.started_at, { state: 'stopped' }, clock.now()))) return false
  await jobs.cancel(jobGroup(_id))
  return true
}

type SyncPayload = z.output<typeof rosterSyncJobKind.payload>

const SYNC_CHECK_EVERY_MS = 5 * 60 * 1000

export function createRosterSyncs(services: Services): BackgroundWork {
  const options = { log: services.log, failure: 'due roster syncs could not be queued' }
  const due = repeatedWork(SYNC_CHECK_EVERY_MS, () => queueDueSyncs(services), options)
  return { jobs: [createRosterSyncJob(services)], resume: () => resumeRosterSyncs(services), ...due }
}

function createRosterSyncJob(services: Services): Job {
  return defineJob({
    ...rosterSyncJobKind,
    // Retries after one to eight seconds, then in an hour.
    attempts: 5,
    pool: 'lms',
    async run(payload, signal) {
      const reader = new RosterPageReader(services, signal)
      for (;;) {
        signal.throwIfAborted()
        const at = await loadRunningSync(payload, services)
        if (!at) return
        try {
          if (at.context.sync?.next) await importNextPages(at, reader, services, signal)
          else {
            await finishRosterSync(at, services, signal)
            await queueDueSyncs(services)
            return
          }
        } catch (error) {
          if (signal.aborted || !(error instanceof RosterError)) throw error
          if (!error.transient) return void (await failRosterSync(payload, error.message, services))
          const running = runningSyncFilter(payload.contextId, new Date(payload.startedAt))
          await LtiContextModel.updateOne(running, { $set: { 'roster.problem': error.message } })
          throw error
        }
      }
    },
    onFailed: async (payload, error) => {
      const ours = 'Something went wrong in Assay. Try syncing again; if it fails again, tell your administrator.'
      await failRosterSync(payload, error instanceof RosterError ? error.message : ours, services)
    },
  })
}

/** Null unless it still runs; one that cannot continue is ended with the reason. */
async function loadRunningSync(payload: SyncPayload, services: Services): Promise<RunningSync | null> {
  const startedAt = new Date(payload.startedAt)
  const context = await LtiContextModel.findOne(runningSyncFilter(payload.contextId, startedAt)).lean()
  if (!context) return null
  const [platform, course] = await Promise.all([
    LtiPlatformModel.findById(context.platform_id).lean(),
    context.course_id !== null && courseExists(context.course_id),
  ])
  const blocker = findSyncBlocker(context, platform)
  if (blocker || !platform || !course || !isBound(context)) {
    await failRosterSync(payload, blocker ?? 'The course in Assay was deleted.', services)
    return null
  }
  return { context, platform, startedAt }
}

const isBound = (context: LtiContextDoc): context is RunningSync['context'] => context.course_id !== null

async function finishRosterSync(at: RunningSync, services: Services, signal: AbortSignal): Promise<void> {
  const { context, startedAt } = at
  const { missing, doubtful } = await countRemovedMembers(at)
  const trusted = !doubtful || context.sync?.accept_short_list === true
  if (trusted) await suspendRemovedMembers(at, services, signal)
  // Before the sync ends, so that a crash repeats it. Grades may wait for new members too.
  const returned = { context: context._id, synced_at: startedAt, outcome: 'returned' } as const
  await markContextResultsDue(context._id, await LtiMemberModel.distinct('sub', returned), services.clock.now())
  // A course set up by a deep link has papers before people.
  await matchCourse(context.course_id, services)
  const report = { ...(await countOutcomes(at)), missing: trusted ? 0 : missing }
  const state = trusted ? 'done' : 'doubtful'
  await finishSync(context._id, startedAt, { state, ...report }, services.clock.now())
}

async function failRosterSync(payload: SyncPayload, problem: string, services: Services): Promise<void> {
  const ending = { state: 'failed', problem } as const
  await finishSync(payload.contextId, new Date(payload.startedAt), ending, services.clock.now())
  await queueDueSyncs(services)
}

/** A shorter list, for more than `SMALL_COURSE` members, needs confirmation. */
const MIN_LISTED_RATIO = 0.2
const SMALL_COURSE = 10
const BATCH_SIZE = 500

function removedMembersFilter({ context, startedAt }: RunningSync): QueryFilter<LtiMemberDoc> {
  return {
    context: context._id,
    status: 'active',
    synced_at: { $ne: startedAt },
    // Not those who launched during the sync.
    updated_at: { $lt: startedAt },
    test_user: { $ne: true },
    // People without a role, such as LMS administrators, are not in rosters.
    role: { $ne: null },
    // Lists per link may leave out people still in the course.
    ...(context.sync?.by_link ? { inactive_at: startedAt } : {}),
  }
}

/** A course has at least its teacher, so an empty list is never plausible. */
async function countRemovedMembers(at: RunningSync): Promise<{ missing: number; doubtful: boolean }> {
  const { context, startedAt } = at
  const listed = { context: context._id, synced_at: startedAt, status: 'active' as const }
  const [missing, here, known] = await Promise.all([
    LtiMemberModel.countDocuments(removedMembersFilter(at)),
    LtiMemberModel.countDocuments(listed),
    LtiMemberModel.countDocuments({ ...listed, outcome: { $in: ['changed', 'unchanged'] } }),
  ])
  const before = missing + known
  const short = here === 0 || (before > SMALL_COURSE && here < MIN_LISTED_RATIO * before)
  return { missing, doubtful: missing > 0 && short }
}

/** They lose only the enrolment the LMS gave them, unless active in another section. Idempotent. */
async function suspendRemovedMembers(at: RunningSync, services: Pick<Services, 'clock'>, signal: AbortSignal) {
  const { context, startedAt } = at
  const now = services.clock.now()
  const suspended = { status: 'suspended', outcome: 'suspended', synced_at: startedAt } as const
  await LtiMemberModel.updateMany(removedMembersFilter(at), { $set: { ...suspended, updated_at: now } })
  const members = await LtiMemberModel.find({ context: context._id, ...suspended }, { user_id: 1 }).lean()
  for (const batch of batchesOf(members, BATCH_SIZE)) {
    signal.throwIfAborted()
    const ids = batch.map(({ user_id }) => user_id)
    await reconcileEnrolments(context.course_id, ids, LMS_ACTOR, now)
  }
}

async function countOutcomes({ context, startedAt }: RunningSync): Promise<Partial<Record<SyncOutcome, number>>> {
  const rows = await LtiMemberModel.aggregate<{ _id: SyncOutcome | null; count: number }>([
    { $match: { context: context._id, synced_at: startedAt } },
    { $group: { _id: '$outcome', count: { $sum: 1 } } },
  ])
  return Object.fromEntries(rows.flatMap(({ _id, count }) => (_id ? [[_id, count]] : [])))
}

/** They share queue slots with scores and requested syncs. */
const MAX_CONCURRENT_SYNCS = 2
const INACTIVE_AFTER_MS = 60 * 24 * 60 * 60 * 1000
const CONTEXTS_AT_ONCE = 100

/** The longest due first; each that ends makes room for the next. */
export async function queueDueSyncs(services: Services): Promise<void> {
  const now = services.clock.now()
  let room = MAX_CONCURRENT_SYNCS - (await LtiContextModel.countDocuments({ 'roster.state': 'running' }))
  if (room <= 0) return
  const due = await LtiContextModel.find({
    course_id: { $ne: null },
    $or: [{ sync_due_at: null }, { sync_due_at: { $lte: now } }],
    'roster.state': { $ne: 'running' },
    launched_at: { $gt: new Date(now.getTime() - INACTIVE_AFTER_MS) },
  })
    .sort({ sync_due_at: 1, _id: 1 })
    .limit(CONTEXTS_AT_ONCE)
    .lean()
  const platforms = await platformsById(due.map(({ platform_id }) => platform_id))
  for (const context of due) {
    if (room <= 0) return
    if (!findSyncBlocker(context, platforms.get(context.platform_id) ?? null)) {
      if (await queueRosterSync(context._id, services)) room -= 1
      continue
    }
    const tomorrow = { $set: { sync_due_at: nextNightlySync(context._id, now) } }
    await LtiContextModel.updateOne({ _id: context._id, sync_due_at: context.sync_due_at ?? null }, tomorrow)
  }
}
