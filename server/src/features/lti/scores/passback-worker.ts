import { z } from 'zod'
import { DeferJob, defineJob, repeatedWork } from '../../../lib/jobs/job.ts'
import { markLedgersDue } from '../../../records/lti/mark-scores-changed.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiLedgerDueModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { platformFairShareKey } from '../platform-client/platform-request.ts'
import { passBackScores } from './passback-job.ts'
import { platformsWithDueChecks, readResults } from './read-results.ts'
import { updateLedger } from './score-ledger.ts'
import { unsentStates } from './score-rows.ts'

const POLL_INTERVAL_MS = 1_000
/** In case an event was lost. */
const RECONCILE_INTERVAL_MS = 60 * 60 * 1000
/** Dozens of scores a second become two events. */
const DEBOUNCE_MS = 500

const OfAssignment = z.object({ assignmentId: z.number() })
const OfPlatform = z.object({ platformId: z.number() })

export function createPassbackWorker(services: Services, pollMs = POLL_INTERVAL_MS) {
  const { jobs, clock, log, events } = services
  const notify = createScoreNotifier(services)

  const updateLedgerJob = defineJob({
    name: 'update-score-ledger',
    payload: OfAssignment,
    async run({ assignmentId }) {
      for (;;) {
        const due = await LtiLedgerDueModel.findById(assignmentId).lean()
        if (!due) return
        const platforms = await updateLedger(assignmentId, clock.now())
        notify(assignmentId)
        await triggerSends(platforms)
        await triggerReads(await platformsWithDueChecks({ assignment_id: assignmentId }))
        // Marked again meanwhile, it runs once more.
        const done = await LtiLedgerDueModel.deleteOne({ _id: assignmentId, mark: due.mark })
        if (done.deletedCount > 0) return
      }
    },
  })

  const passbackJob = defineJob({
    name: 'send-scores',
    payload: OfPlatform,
    // Our own errors only, for a quarter of an hour: an LMS's defer the job.
    attempts: 10,
    pool: 'lms',
    async run({ platformId }, signal, claim) {
      const next = await passBackScores(platformId, { services, signal, claim, notify, requestLedgerUpdate })
      await triggerReads([platformId])
      if (next) throw new DeferJob(Math.max(0, next.getTime() - clock.now().getTime()), 'scores wait for their time')
    },
  })

  const readResultsJob = defineJob({
    name: 'read-lms-results',
    payload: OfPlatform,
    attempts: 10,
    pool: 'lms',
    async run({ platformId }, signal) {
      const next = await readResults(platformId, { services, signal, notify })
      if (next) throw new DeferJob(Math.max(0, next.getTime() - clock.now().getTime()), 'results are read later')
    },
  })

  async function requestLedgerUpdate(assignmentId: number): Promise<void> {
    await markLedgersDue([assignmentId])
    await enqueueLedgers([assignmentId])
  }

  const enqueueLedgers = (assignmentIds: number[]) =>
    jobs.add(
      updateLedgerJob,
      assignmentIds.map((assignmentId) => ({
        key: String(assignmentId),
        group: `assignment:${assignmentId}`,
        payload: { assignmentId },
      })),
    )
  /** One job per platform: its lease prevents two processes from sending the same scores. */
  const triggerSends = (platformIds: number[]) => jobs.trigger(passbackJob, platformIds.map(jobOfPlatform))
  const triggerReads = (platformIds: number[]) => jobs.trigger(readResultsJob, platformIds.map(jobOfPlatform))

  const triggerUnsent = async () => {
    await triggerSends(await LtiScoreModel.distinct('platform_id', { state: { $in: unsentStates } }))
    await triggerReads(await platformsWithDueChecks())
  }
  events.onLocal('lti_platforms_changed', () => {
    triggerUnsent().catch((error: unknown) => log.error({ err: error }, 'waiting scores could not be queued'))
  })

  async function enqueueDueLedgers(): Promise<void> {
    const ledgers = await LtiLedgerDueModel.find({}, { _id: 1 }).limit(50).lean()
    await enqueueLedgers(ledgers.map(({ _id }) => _id))
  }

  /** A process may have died between a release and its mark. */
  async function reconcileLedgers(): Promise<void> {
    // Somebody may have turned grades on in the LMS.
    await LtiScoreModel.updateMany(
      { state: 'refused', 'reason.code': 'no_line_item' },
      { $set: { state: 'waiting', next_at: clock.now() } },
    )
    const linked: (number | null)[] = await LtiResourceLinkModel.distinct('assignment_id')
    const inLedger: number[] = await LtiScoreModel.distinct('assignment_id')
    await markLedgersDue([...new Set([...linked.filter((id) => id !== null), ...inLedger])])
    await triggerUnsent()
  }

  const repeated = [
    repeatedWork(RECONCILE_INTERVAL_MS, reconcileLedgers, { log, failure: 'score ledgers could not be reconciled' }),
    repeatedWork(pollMs, enqueueDueLedgers, { log, failure: 'due ledgers could not be queued' }),
  ]

  return {
    jobs: [updateLedgerJob, passbackJob, readResultsJob],
    async repeat() {
      for (const work of repeated) await work.repeat()
    },
    async stop() {
      await Promise.all(repeated.map((one) => one.stop()))
    },
  }
}

const jobOfPlatform = (platformId: number) => ({
  key: String(platformId),
  group: `lti-platform:${platformId}`,
  fairShareKey: platformFairShareKey(platformId),
  payload: { platformId },
})

function createScoreNotifier({ events }: Pick<Services, 'events'>): (assignmentId: number) => void {
  const pending = new Set<number>()
  return (assignmentId) => {
    if (pending.has(assignmentId)) return
    pending.add(assignmentId)
    const emit = () => {
      pending.delete(assignmentId)
      events.emit('lms_scores_changed', { assignmentId, payload: { assignment_id: assignmentId } })
    }
    setTimeout(emit, DEBOUNCE_MS).unref()
  }
}
