import type { z } from 'zod'
import { defineJob, type Job } from '../../../lib/jobs.ts'
import type { Services } from '../../../services.ts'
import { CourseModel } from '../../courses/course.model.ts'
import { type LtiContextDoc, LtiContextModel } from '../launches/context.model.ts'
import { LtiPlatformModel } from '../platforms/platform.model.ts'
import { scoresChangedIn } from '../scores/scores-changed.ts'
import { queueDueSyncs } from './nightly.ts'
import { obstacleTo } from './obstacle.ts'
import { PageReader } from './page-reader.ts'
import { kind } from './queue-sync.ts'
import { readNextPages } from './read-roster.ts'
import { RosterProblem } from './roster-problem.ts'
import { missingFrom, suspendMissing, tally } from './suspend-missing.ts'
import { endSync, whileRunning } from './sync-report.ts'
import type { SyncAtHand } from './take-in-page.ts'

type Doing = z.output<typeof kind.payload>

/** Brings one LMS course's people into line with its roster: page by page, then whoever is missing. */
export function rosterSyncJob(services: Services): Job {
  return defineJob({
    ...kind,
    // Waits of one to eight seconds: an LMS that is away for longer is asked again in an hour.
    attempts: 5,
    lane: 'lms',
    async run(doing, signal) {
      const reader = new PageReader(services, signal)
      for (;;) {
        signal.throwIfAborted()
        const at = await syncAtHand(doing, services)
        if (!at) return
        try {
          if (at.context.sync?.next) await readNextPages(at, reader, services, signal)
          else {
            await finish(at, services, signal)
            await queueDueSyncs(services)
            return
          }
        } catch (error) {
          if (signal.aborted || !(error instanceof RosterProblem)) throw error
          if (!error.passing) return void (await fail(doing, error.message, services))
          await tellTryingAgain(doing, error.message)
          throw error
        }
      }
    },
    onGivenUp: async (doing, error) => {
      const ours =
        'Something went wrong in Assay. Sync once more; if it happens again, tell your administrator.'
      await fail(doing, error instanceof RosterProblem ? error.message : ours, services)
    },
  }) as Job
}

/** The sync, if it is still wanted; one that cannot go on any more is ended, with the reason. */
async function syncAtHand(doing: Doing, services: Services): Promise<SyncAtHand | null> {
  const startedAt = new Date(doing.startedAt)
  const context = await LtiContextModel.findOne(whileRunning(doing.contextId, startedAt)).lean()
  if (!context) return null
  const [platform, course] = await Promise.all([
    LtiPlatformModel.findById(context.platform_id).lean(),
    context.course_id === null ? null : CourseModel.exists({ _id: context.course_id }),
  ])
  const obstacle = obstacleTo(context, platform)
  if (obstacle || !platform || !course || !isTied(context)) {
    await fail(doing, obstacle ?? 'The course in Assay is gone.', services)
    return null
  }
  return { context, platform, startedAt }
}

const isTied = (context: LtiContextDoc): context is SyncAtHand['context'] => context.course_id !== null

async function finish(at: SyncAtHand, services: Services, signal: AbortSignal): Promise<void> {
  const { context, startedAt } = at
  const { missing, doubtful } = await missingFrom(at)
  const believed = !doubtful || context.sync?.believe === true
  if (believed) await suspendMissing(at, services, signal)
  const report = { ...(await tally(at)), missing: believed ? 0 : missing }
  const state = believed ? 'done' : 'doubtful'
  await endSync(context._id, startedAt, { state, ...report }, services.clock.now())
  // Who is known to the LMS from now on may have a grade that waits for it.
  if (report.created || report.changed || report.returned) await scoresChangedIn(context._id)
}

async function fail(doing: Doing, problem: string, services: Services): Promise<void> {
  const ending = { state: 'failed', problem } as const
  await endSync(doing.contextId, new Date(doing.startedAt), ending, services.clock.now())
  await queueDueSyncs(services)
}

async function tellTryingAgain({ contextId, startedAt }: Doing, problem: string): Promise<void> {
  const filter = whileRunning(contextId, new Date(startedAt))
  await LtiContextModel.updateOne(filter, { $set: { 'roster.problem': problem } })
}
