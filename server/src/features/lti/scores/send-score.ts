import type { LtiScoreDoc, SentScore } from '../../../records/lti/score.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import type { LineItemRef } from './line-item.ts'
import { postScore, readResult, type ScoreReply } from './score-request.ts'
import {
  backoffMs,
  type ClaimedScore,
  claimScore,
  deferScore,
  markAccepted,
  markRefused,
  recordSent,
} from './score-rows.ts'
import type { ScoreTarget } from './score-targets.ts'
import { isCurrentInLms, nextTimestamp, sameScore, scorePoints } from './score-values.ts'

/** How often one score is sent with another time, where the LMS finds it too old. */
const MAX_TIMESTAMP_RETRIES = 3

export interface Delivery {
  target: ScoreTarget
  lineItem: LineItemRef
  ags: AgsClient
  /** After the LMS has said that the column is gone: another one, found or made anew; null where there is none. */
  replaceLineItem: (gone: LineItemRef) => Promise<LineItemRef | null>
}

/**
 * Sends one row and writes down what came of it. What an earlier sending may have left in the LMS is looked at before.
 * @returns why it did not work just now; null when the LMS has spoken, or the row is somebody else's
 * @throws {Stopped} with the row as it is: whoever comes next asks the LMS
 */
export async function sendScore(row: LtiScoreDoc, delivery: Delivery): Promise<AgsRetryableError | null> {
  const { lineItem, ags } = delivery
  const fresh = scoreFor(row, lineItem, ags.clock.now())
  const taken = await claimScore(row, ags.clock.now(), row.unsure ? null : fresh)
  if (!taken) return null
  try {
    if (row.unsure) {
      const there = await isAlreadyInLms(taken, row.unsure, delivery)
      if (there) {
        await markAccepted(taken, row.unsure, ags.clock.now())
        return null
      }
      if (!(await recordSent(taken, fresh))) return null
    }
    await deliver(taken, fresh, delivery)
    return null
  } catch (error) {
    if (!(error instanceof AgsRetryableError)) throw error
    const waitMs = backoffMs(row.attempts, error.retryAfterMs)
    const counts = !error.platformWide
    await deferScore(
      { ...taken, unsure: row.unsure },
      { message: error.message, waitMs, outcomeUnknown: error.outcomeUnknown, countsAsFailure: counts },
      ags.clock.now(),
    )
    return error
  }
}

function scoreFor({ wanted, stamped_at }: LtiScoreDoc, { maximum }: LineItemRef, now: Date): SentScore {
  const points = wanted.percent === null ? null : scorePoints(wanted.percent, maximum)
  return { ...wanted, points, maximum, stamp: nextTimestamp(now, stamped_at) }
}

/** Whether what is wanted went out before, and stands there. */
async function isAlreadyInLms(
  row: ClaimedScore,
  sent: SentScore,
  { target, lineItem, ags }: Delivery,
): Promise<boolean> {
  if (!sameScore(sent, row.wanted)) return false
  const result = await readResult(target, lineItem.url, row.sub, ags)
  return result !== undefined && isCurrentInLms(result, sent, row.accepted)
}

async function deliver(row: ClaimedScore, first: SentScore, delivery: Delivery): Promise<void> {
  const { target, ags } = delivery
  let { lineItem } = delivery
  let score = first
  let renewed = false
  for (let stamps = 1; ; ) {
    const answer = await postScore(target, lineItem.url, await toSend(row, score, target), ags)
    const now = ags.clock.now()
    if (answer.kind === 'taken') return markAccepted(row, score, now)
    if (answer.kind === 'gone' && !renewed) {
      renewed = true
      const another = await delivery.replaceLineItem(lineItem)
      if (another && another.url !== lineItem.url) {
        lineItem = another
        score = scoreFor({ ...row, stamped_at: score.stamp }, lineItem, now)
        if (!(await recordSent(row, score))) return
        continue
      }
    }
    if ((answer.kind === 'stale' || answer.kind === 'early') && stamps < MAX_TIMESTAMP_RETRIES) {
      stamps++
      const result = await readResult(target, lineItem.url, row.sub, ags)
      if (result !== undefined && isCurrentInLms(result, score, row.accepted)) return markAccepted(row, score, now)
      score = { ...score, stamp: retryTimestamp(answer, score, row, result?.at ?? null, now) }
      if (!(await recordSent(row, score))) return
      continue
    }
    return markRefused(row, { code: 'refused', message: answer.message }, now)
  }
}

/** Newer than what stands there, by its clock and by ours; of a time it has not come to yet, its own. */
function retryTimestamp(
  { kind, at }: Extract<ScoreReply, { kind: 'stale' | 'early' }>,
  { stamp }: SentScore,
  { accepted }: ClaimedScore,
  standing: Date | null,
  now: Date,
): Date {
  return kind === 'early' ? nextTimestamp(at ?? now, accepted?.stamp) : nextTimestamp(now, stamp, standing, at)
}

async function toSend(row: ClaimedScore, score: SentScore, { platform }: ScoreTarget) {
  const first = row.accepted === null && platform.lms === 'canvas' && row.submission_id !== null
  const paper = first ? await SubmissionModel.findById(row.submission_id, { created_at: 1 }).lean() : null
  return { sub: row.sub, score, before: row.accepted, handedInAt: paper?.created_at ?? null }
}
