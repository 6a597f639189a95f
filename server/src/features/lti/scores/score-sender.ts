import { z } from 'zod'
import { type BackgroundWork, repeatedWork } from '../../../lib/jobs/background-work.ts'
import { defineJob } from '../../../lib/jobs/job.ts'
import { markLedgersDue } from '../../../records/lti/mark-scores-changed.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiLedgerDueModel } from '../../../records/lti/platform-pause.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { platformFairShareKey } from '../platform-client/platform-fair-share.ts'
import { isPaused, platformPause } from './platform-pause.ts'
import { updateLedger } from './score-ledger.ts'
import { createScoreNotifier } from './score-notifier.ts'
import { hasDueRows } from './score-rows.ts'
import { sendScores } from './send-scores.ts'

/** How often what is due is looked for, in ms: a score waits no longer than this beyond its time. */
const POLL_INTERVAL_MS = 1_000
/** How often every ledger is compared with what is released, whatever was or was not told. */
const RECONCILE_INTERVAL_MS = 60 * 60 * 1000

const OfAssignment = z.object({ assignmentId: z.number() })
const OfPlatform = z.object({ platformId: z.number() })

/** Scores on their way to the LMSs: the ledger is kept, and what is due is sent. */
export type ScoreSender = Required<BackgroundWork>

export function createScoreSender(services: Services): ScoreSender {
  const { jobs, clock, log } = services
  const notify = createScoreNotifier(services)

  const keepLedger = defineJob({
    name: 'keep-score-ledger',
    payload: OfAssignment,
    attempts: 3,
    pool: 'io',
    async run({ assignmentId }) {
      for (;;) {
        const due = await LtiLedgerDueModel.findById(assignmentId).lean()
        if (!due) return
        const platforms = await updateLedger(assignmentId, clock.now())
        notify(assignmentId)
        await enqueueSends(platforms)
        // Told of something new meanwhile, it is done once more.
        const done = await LtiLedgerDueModel.deleteOne({ _id: assignmentId, mark: due.mark })
        if (done.deletedCount > 0) return
      }
    },
  })

  const sendToPlatform = defineJob({
    name: 'send-scores',
    payload: OfPlatform,
    attempts: 3,
    pool: 'lms',
    run: ({ platformId }, signal) =>
      sendScores(platformId, {
        services,
        signal,
        notify: notify,
        requestLedgerUpdate: async (id) => {
          await markLedgersDue([id])
          await enqueueLedgers([id])
        },
      }),
  })

  const enqueueLedgers = (assignmentIds: number[]) =>
    jobs.add(
      keepLedger,
      assignmentIds.map((assignmentId) => ({
        key: String(assignmentId),
        group: `assignment:${assignmentId}`,
        payload: { assignmentId },
      })),
    )
  const enqueueSends = (platformIds: number[]) =>
    jobs.add(
      sendToPlatform,
      platformIds.map((platformId) => ({
        key: String(platformId),
        group: `lti-platform:${platformId}`,
        fairShareKey: platformFairShareKey(platformId),
        payload: { platformId },
      })),
    )

  async function enqueueDue(): Promise<void> {
    const ledgers = await LtiLedgerDueModel.find({}, { _id: 1 }).limit(50).lean()
    await enqueueLedgers(ledgers.map(({ _id }) => _id))
    const now = clock.now()
    const due: number[] = []
    for (const { _id } of await LtiPlatformModel.find({ status: 'active' }, { _id: 1 }).lean()) {
      if (!isPaused(await platformPause(_id), now) && (await hasDueRows(_id, now))) due.push(_id)
    }
    await enqueueSends(due)
  }

  /** A process may have died between a release and the word of it. */
  async function reconcileLedgers(): Promise<void> {
    // What had nowhere to go may have by now: somebody has switched grades on in the LMS.
    await LtiScoreModel.updateMany(
      { state: 'refused', 'reason.code': 'no_line_item' },
      { $set: { state: 'waiting', next_at: clock.now() } },
    )
    const linked: (number | null)[] = await LtiResourceLinkModel.distinct('assignment_id')
    const kept: number[] = await LtiScoreModel.distinct('assignment_id')
    await markLedgersDue([...new Set([...linked.filter((id) => id !== null), ...kept])])
  }

  const repeated = [
    repeatedWork(RECONCILE_INTERVAL_MS, reconcileLedgers, { log, failure: 'score ledgers could not be reconciled' }),
    repeatedWork(POLL_INTERVAL_MS, enqueueDue, { log, failure: 'due scores could not be queued' }),
  ]

  return {
    jobs: [keepLedger, sendToPlatform],
    async resume() {
      for (const work of repeated) await work.resume()
    },
    async stop() {
      await Promise.all(repeated.map((one) => one.stop()))
    },
  }
}
