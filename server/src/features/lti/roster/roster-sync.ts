import type { z } from 'zod'
import { type BackgroundWork, repeatedWork } from '../../../lib/jobs/background-work.ts'
import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { markContextResultsDue } from '../../../records/lti/mark-scores-changed.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { courseExists } from '../../courses/course.service.ts'
import type { RunningSync } from './import-page.ts'
import { importNextPages } from './import-roster.ts'
import { RosterError } from './nrps/roster-error.ts'
import { RosterPageReader } from './nrps/roster-page-reader.ts'
import { queueDueSyncs } from './queue-due-syncs.ts'
import { resumeRosterSyncs, rosterSyncJobKind } from './queue-roster-sync.ts'
import {
  countOutcomes,
  countRemovedMembers,
  findReturnedMembers,
  suspendRemovedMembers,
} from './suspend-removed-members.ts'
import { findSyncBlocker } from './sync-blocker.ts'
import { finishSync, runningSyncFilter } from './sync-report.ts'

type SyncPayload = z.output<typeof rosterSyncJobKind.payload>

const SYNC_CHECK_EVERY_MS = 5 * 60 * 1000

export function createRosterSyncs(services: Services): BackgroundWork {
  const options = { log: services.log, failure: 'due roster syncs could not be queued' }
  const due = repeatedWork(SYNC_CHECK_EVERY_MS, () => queueDueSyncs(services), options)
  return {
    jobs: [createRosterSyncJob(services)],
    resume: () => resumeRosterSyncs(services),
    ...due,
  }
}

/** Syncs an LMS course's members with its roster: page by page, then suspends those who are missing. */
function createRosterSyncJob(services: Services): Job {
  return defineJob({
    ...rosterSyncJobKind,
    // Retries after one to eight seconds; after that in an hour.
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
          await recordRetry(payload, error.message)
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

/** The sync, if it still runs; one that cannot continue is ended with the reason. */
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
  // Before the sync ends, so that a crash repeats it. Grades may also be waiting for members who are new.
  await markContextResultsDue(context._id, await findReturnedMembers(at), services.clock.now())
  const report = { ...(await countOutcomes(at)), missing: trusted ? 0 : missing }
  const state = trusted ? 'done' : 'doubtful'
  await finishSync(context._id, startedAt, { state, ...report }, services.clock.now())
}

async function failRosterSync(payload: SyncPayload, problem: string, services: Services): Promise<void> {
  const ending = { state: 'failed', problem } as const
  await finishSync(payload.contextId, new Date(payload.startedAt), ending, services.clock.now())
  await queueDueSyncs(services)
}

async function recordRetry({ contextId, startedAt }: SyncPayload, problem: string): Promise<void> {
  const filter = runningSyncFilter(contextId, new Date(startedAt))
  await LtiContextModel.updateOne(filter, { $set: { 'roster.problem': problem } })
}
