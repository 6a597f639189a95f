import type { Metrics } from '../../../lib/metrics/metrics.ts'
import type { LtiScoreDoc, SentScore } from '../../../records/lti/score.model.ts'
import { findSubmissionDate } from '../../submissions/submission-queries.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import { fetchResult } from './fetch-results.ts'
import type { LineItemRef } from './line-item.ts'
import { retryDelay } from './retry-delay.ts'
import { postScore, type ScoreReply } from './score-request.ts'
import { deferScore, markAccepted, markRefused, markSending, recordSent, type SendingScore } from './score-rows.ts'
import type { ScoreTarget } from './score-targets.ts'
import { isCurrentInLms, nextTimestamp, sameScore, scorePoints } from './score-values.ts'

/** How often one score is sent with a newer timestamp, when the LMS finds it too old. */
const MAX_TIMESTAMP_RETRIES = 3

interface Delivery {
  target: ScoreTarget
  lineItem: LineItemRef
  ags: AgsClient
  metrics: Pick<Metrics, 'scoresSent'>
  /** The queue's claim it is sent under. */
  claim: string
  /** When the LMS says the line item is deleted: another one, found or new; null where there is none. */
  replaceLineItem: (deleted: LineItemRef) => Promise<LineItemRef | null>
}

/**
 * Sends one row and records the result. If an earlier attempt may have arrived, the LMS's result is read first.
 * @returns a temporary failure; null when the LMS has decided, or the row has changed
 * @throws {AgsAborted} leaving the row as being sent: the next sender reads the LMS's result
 */
export async function sendScore(row: LtiScoreDoc, delivery: Delivery): Promise<AgsRetryableError | null> {
  const { lineItem, ags } = delivery
  const count = (outcome: 'accepted' | 'refused' | 'deferred') => delivery.metrics.scoresSent.inc({ outcome })
  const fresh = scoreFor(row, lineItem, ags.clock.now())
  const sending = await markSending(row, delivery.claim, row.unsure ? null : fresh, ags.clock.now())
  if (!sending) return null
  try {
    if (row.unsure) {
      const arrived = await isAlreadyInLms(sending, row.unsure, delivery)
      if (arrived) {
        await markAccepted(sending, row.unsure, ags.clock.now())
        count('accepted')
        return null
      }
      if (!(await recordSent(sending, fresh))) return null
    }
    const outcome = await deliver(sending, fresh, delivery)
    if (outcome) count(outcome)
    return null
  } catch (error) {
    if (!(error instanceof AgsRetryableError)) throw error
    count('deferred')
    const waitMs = retryDelay(error, row.attempts + 1)
    const counts = !error.platformWide
    await deferScore(
      { ...sending, unsure: row.unsure },
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

/** Whether the wanted score was sent before, and has arrived. */
async function isAlreadyInLms(
  row: SendingScore,
  sent: SentScore,
  { target, lineItem, ags }: Delivery,
): Promise<boolean> {
  if (!sameScore(sent, row.wanted)) return false
  const result = await fetchResult(target, lineItem.url, row.sub, ags)
  return result !== undefined && isCurrentInLms(result, sent, row.accepted)
}

/** @returns what the LMS has decided; null where another claim is sending the row */
async function deliver(
  row: SendingScore,
  first: SentScore,
  delivery: Delivery,
): Promise<'accepted' | 'refused' | null> {
  const accept = async (sent: SentScore, now: Date) => {
    await markAccepted(row, sent, now)
    return 'accepted' as const
  }
  const { target, ags } = delivery
  let { lineItem } = delivery
  let score = first
  let renewed = false
  for (let attempts = 1; ; ) {
    const reply = await postScore(target, lineItem.url, await toSend(row, score, target), ags)
    const now = ags.clock.now()
    if (reply.kind === 'accepted') return accept(score, now)
    if (reply.kind === 'deleted' && !renewed) {
      renewed = true
      const replacement = await delivery.replaceLineItem(lineItem)
      if (replacement && replacement.url !== lineItem.url) {
        lineItem = replacement
        score = scoreFor({ ...row, stamped_at: score.stamp }, lineItem, now)
        if (!(await recordSent(row, score))) return null
        continue
      }
    }
    if ((reply.kind === 'stale' || reply.kind === 'early') && attempts < MAX_TIMESTAMP_RETRIES) {
      attempts++
      const result = await fetchResult(target, lineItem.url, row.sub, ags)
      if (result !== undefined && isCurrentInLms(result, score, row.accepted)) return accept(score, now)
      score = { ...score, stamp: retryTimestamp(reply, score, row, result?.at ?? null, now) }
      if (!(await recordSent(row, score))) return null
      continue
    }
    await markRefused(row, { code: 'refused', message: reply.message }, now)
    return 'refused'
  }
}

/** Newer than the LMS's result, by both clocks; for a timestamp in its future, the LMS's own time. */
function retryTimestamp(
  { kind, at }: Extract<ScoreReply, { kind: 'stale' | 'early' }>,
  { stamp }: SentScore,
  { accepted }: SendingScore,
  current: Date | null,
  now: Date,
): Date {
  return kind === 'early' ? nextTimestamp(at ?? now, accepted?.stamp) : nextTimestamp(now, stamp, current, at)
}

async function toSend(row: SendingScore, score: SentScore, { platform }: ScoreTarget) {
  const first = row.accepted === null && platform.lms === 'canvas'
  const handedInAt = first && row.submission_id !== null ? await findSubmissionDate(row.submission_id) : null
  return { sub: row.sub, score, before: row.accepted, handedInAt }
}
