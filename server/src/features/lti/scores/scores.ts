import { z } from 'zod'
import { defineJob, type Job } from '../../../lib/jobs.ts'
import type { Services } from '../../../services.ts'
import { LtiLinkModel } from '../launches/link.model.ts'
import { shareOf } from '../outgoing/share.ts'
import { LtiPlatformModel } from '../platforms/platform.model.ts'
import { updateLedger } from './ledger.ts'
import { isResting, restOf } from './rest.ts'
import { createTeller } from './score.events.ts'
import { LtiScoreModel } from './score.model.ts'
import { hasDue } from './score-rows.ts'
import { markDue } from './scores-changed.ts'
import { sendScores } from './send-scores.ts'
import { LtiLedgerDueModel } from './sender.model.ts'

/** How often what is due is looked for, in ms: a score waits no longer than this beyond its time. */
const LOOK_EVERY_MS = 1_000
/** How often every ledger is compared with what is released, whatever was or was not told. */
const SWEEP_EVERY_MS = 60 * 60 * 1000

const OfAssignment = z.object({ assignmentId: z.number() })
const OfPlatform = z.object({ platformId: z.number() })

/** Scores on their way to the LMSs: the ledger is kept, and what is due is sent. */
export interface Scores {
  jobs: Job[]
  /** Takes up what an earlier process left, and goes on looking for what is due. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export function createScores(services: Services): Scores {
  const { jobs, clock, log } = services
  const tell = createTeller(services)

  const keepLedger = defineJob({
    name: 'keep-score-ledger',
    payload: OfAssignment,
    attempts: 3,
    lane: 'aside',
    async run({ assignmentId }) {
      for (;;) {
        const due = await LtiLedgerDueModel.findById(assignmentId).lean()
        if (!due) return
        const platforms = await updateLedger(assignmentId, clock.now())
        tell(assignmentId)
        await send(platforms)
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
    lane: 'lms',
    run: ({ platformId }, signal) =>
      sendScores(platformId, {
        services,
        signal,
        tell,
        askForLedger: async (id) => {
          await markDue([id])
          await keep([id])
        },
      }),
  })

  const keep = (assignmentIds: number[]) =>
    jobs.add(
      keepLedger,
      assignmentIds.map((assignmentId) => ({
        key: String(assignmentId),
        group: `assignment:${assignmentId}`,
        payload: { assignmentId },
      })),
    )
  const send = (platformIds: number[]) =>
    jobs.add(
      sendToPlatform,
      platformIds.map((platformId) => ({
        key: String(platformId),
        group: `lti-platform:${platformId}`,
        share: shareOf(platformId),
        payload: { platformId },
      })),
    )

  async function look(): Promise<void> {
    const ledgers = await LtiLedgerDueModel.find({}, { _id: 1 }).limit(50).lean()
    await keep(ledgers.map(({ _id }) => _id))
    const now = clock.now()
    const due: number[] = []
    for (const { _id } of await LtiPlatformModel.find({ status: 'active' }, { _id: 1 }).lean()) {
      if (!isResting(await restOf(_id), now) && (await hasDue(_id, now))) due.push(_id)
    }
    await send(due)
  }

  /** A process may have died between a release and the word of it. */
  async function sweep(): Promise<void> {
    // What had nowhere to go may have by now: somebody has switched grades on in the LMS.
    await LtiScoreModel.updateMany(
      { state: 'refused', 'reason.code': 'no_line_item' },
      { $set: { state: 'waiting', next_at: clock.now() } },
    )
    const linked: (number | null)[] = await LtiLinkModel.distinct('assignment_id')
    const kept: number[] = await LtiScoreModel.distinct('assignment_id')
    await markDue([...new Set([...linked.filter((id) => id !== null), ...kept])])
  }

  let looking: Promise<void> | null = null
  const again = (work: () => Promise<void>, what: string) =>
    work().catch((error: unknown) => log.error({ err: error }, what))
  const timers: NodeJS.Timeout[] = []

  return {
    jobs: [keepLedger, sendToPlatform] as Job[],
    async resume() {
      await sweep()
      await look()
      const lookAgain = () => {
        looking ??= again(look, 'scores that are due were not looked for').finally(() => {
          looking = null
        })
      }
      timers.push(
        setInterval(lookAgain, LOOK_EVERY_MS),
        setInterval(() => void again(sweep, 'the scores’ ledgers were not swept'), SWEEP_EVERY_MS),
      )
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await looking
    },
  }
}
