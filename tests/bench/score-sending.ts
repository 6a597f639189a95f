import { MAX_CONCURRENT_REQUESTS } from '../../server/src/features/lti/scores/send-scores.ts'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api } from '../../server/src/testing/api.ts'
import { buildLmsClass, publish, scoreCountsOf, waitForScoreDelivery } from '../../server/src/testing/lms-class.ts'
import { startFakeLms } from '../fake-lms/fake-lms.ts'

const SCORES = 1000
const ANSWERS_IN_MS = 100

interface ScoreCost {
  scores: number
  answersInMs: number
  /** From publishing to the last score, in seconds. */
  seconds: number
  /** The least time possible with the LMS's response time and our concurrency. */
  atBest: number
  perSecond: number
  /** From publishing until a score is in the LMS, in seconds. */
  p50: number
  p95: number
  /** Requests for tokens, line items, scores and results. */
  calls: number
}

/** Publishes a class of a thousand to a fake LMS. */
export async function measureScores(running: RunningServer, api: Api): Promise<ScoreCost> {
  const lms = await startFakeLms({ kind: 'moodle', delayMs: { scores: ANSWERS_IN_MS } })
  try {
    const one = await buildLmsClass({ running }, api, lms, { students: SCORES })
    const begun = Date.now()
    await publish(api, one)
    await waitForScoreDelivery(api, one, 300_000)
    if (scoreCountsOf(one).some((times) => times !== 1)) throw new Error('a score was not sent exactly once')
    const after = one.item.accepted.map(({ at }) => (at.getTime() - begun) / 1000).sort((a, b) => a - b)
    const at = (share: number) => after[Math.ceil(share * after.length) - 1] ?? 0
    return {
      scores: SCORES,
      answersInMs: ANSWERS_IN_MS,
      seconds: at(1),
      atBest: (SCORES / MAX_CONCURRENT_REQUESTS) * (ANSWERS_IN_MS / 1000),
      perSecond: SCORES / at(1),
      p50: at(0.5),
      p95: at(0.95),
      calls: lms.requestLog.requests.length,
    }
  } finally {
    await lms.close()
  }
}
