import type { z } from 'zod'
import { type BackgroundWork, repeatedWork } from '../../../lib/jobs/background-work.ts'
import { defineJob, type Job } from '../../../lib/jobs/job.ts'
import { type LtiContextDoc, LtiContextModel } from '../../../records/lti/context.model.ts'
import { markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { courseExists } from '../../courses/course.service.ts'
import type { RunningSync } from './import-page.ts'
import { importNextPages } from './import-roster.ts'
import { queueDueSyncs } from './queue-due-syncs.ts'
import { resumeRosterSyncs, rosterSyncJobKind } from './queue-roster-sync.ts'
import { RosterError } from './roster-error.ts'
import { RosterPageReader } from './roster-page-reader.ts'
import { countOutcomes, countRemovedMembers, suspendRemovedMembers } from './suspend-removed-members.ts'
import { findSyncBlocker } from './sync-blocker.ts'
import { finishSync, runningSyncFilter } from './sync-report.ts'

type SyncPayload = z.output<typeof rosterSyncJobKind.payload>

const SYNC_CHECK_EVERY_MS = 5 * 60 * 1000

export function createRosterSyncs(services: Services): BackgroundWork {
  const options = { log: services.log, failure: 'due roster syncs could not be queued' }
  const due = repeatedWork(SYNC_CHECK_EVERY_MS, () => queueDueSyncs(services), options)
  return {
    jobs: [createRosterSyncJob(services)],
    async resume() {
      await resumeRosterSyncs(services)
      await due.resume()
    },
    stop: due.stop,
  }
}

/** Brings one LMS course's people into line with its roster: page by page, then whoever is missing. */
function createRosterSyncJob(services: Services): Job {
  return defineJob({
    ...rosterSyncJobKind,
    // Waits of one to eight seconds: an LMS that is away for longer is asked again in an hour.
    attempts: 5,
    pool: 'lms',
    async run(doing, signal) {
      const reader = new RosterPageReader(services, signal)
      for (;;) {
        signal.throwIfAborted()
        const at = await loadRunningSync(doing, services)
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
          if (!error.transient) return void (await failRosterSync(doing, error.message, services))
          await recordRetry(doing, error.message)
          throw error
        }
      }
    },
    onFailed: async (doing, error) => {
      const ours = 'Something went wrong in Assay. Sync once more; if it happens again, tell your administrator.'
      await failRosterSync(doing, error instanceof RosterError ? error.message : ours, services)
    },
  })
}

/** The sync, if it is still wanted; one that cannot go on any more is ended, with the reason. */
async function loadRunningSync(doing: SyncPayload, services: Services): Promise<RunningSync | null> {
  const startedAt = new Date(doing.startedAt)
  const context = await LtiContextModel.findOne(runningSyncFilter(doing.contextId, startedAt)).lean()
  if (!context) return null
  const [platform, course] = await Promise.all([
    LtiPlatformModel.findById(context.platform_id).lean(),
    context.course_id !== null && courseExists(context.course_id),
  ])
  const blocker = findSyncBlocker(context, platform)
  if (blocker || !platform || !course || !isBound(context)) {
    await failRosterSync(doing, blocker ?? 'The course in Assay is gone.', services)
    return null
  }
  return { context, platform, startedAt }
}

const isBound = (context: LtiContextDoc): context is RunningSync['context'] => context.course_id !== null

async function finishRosterSync(at: RunningSync, services: Services, signal: AbortSignal): Promise<void> {
  const { context, startedAt } = at
  const { missing, doubtful } = await countRemovedMembers(at)
  const believed = !doubtful || context.sync?.believe === true
  if (believed) await suspendRemovedMembers(at, services, signal)
  const report = { ...(await countOutcomes(at)), missing: believed ? 0 : missing }
  const state = believed ? 'done' : 'doubtful'
  await finishSync(context._id, startedAt, { state, ...report }, services.clock.now())
  // Who is known to the LMS from now on may have a grade that waits for it.
  if (report.created || report.changed || report.returned) await markContextScoresChanged(context._id)
}

async function failRosterSync(doing: SyncPayload, problem: string, services: Services): Promise<void> {
  const ending = { state: 'failed', problem } as const
  await finishSync(doing.contextId, new Date(doing.startedAt), ending, services.clock.now())
  await queueDueSyncs(services)
}

async function recordRetry({ contextId, startedAt }: SyncPayload, problem: string): Promise<void> {
  const filter = runningSyncFilter(contextId, new Date(startedAt))
  await LtiContextModel.updateOne(filter, { $set: { 'roster.problem': problem } })
}
