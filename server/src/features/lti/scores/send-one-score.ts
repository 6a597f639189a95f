import type { Metrics } from '../../../lib/metrics/metrics.ts'
import type { LtiScoreDoc, ScoreReason, SentScore } from '../../../records/lti/score.model.ts'
import { findSubmissionDate } from '../../submissions/submission-queries.ts'
import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { type AgsClient, AgsRetryableError, callAgs, errorMessageOf, lineItemServiceUrl } from './ags-request.ts'
import { fetchResult } from './fetch-results.ts'
import { type LineItemRef, mayReadLineItems } from './line-item.ts'
import { retryDelay } from './platform-pause.ts'
import {
  deferScore,
  markAccepted,
  markRefused,
  markSending,
  recordSent,
  type SendingScore,
  type TemporaryFailure,
} from './score-rows.ts'
import type { ScoreTarget } from './score-targets.ts'
import { isCurrentInLms, nextTimestamp, sameScore, scorePoints } from './score-values.ts'

const MAX_TIMESTAMP_RETRIES = 3
/** LMSs rescale to the line item's own. */
const UNKNOWN_MAXIMUM = 100

interface Delivery {
  target: ScoreTarget
  lineItem: LineItemRef
  ags: AgsClient
  metrics: Pick<Metrics, 'scoresSent'>
  claim: string
  replaceLineItem: (deleted: LineItemRef) => Promise<LineItemRef | null>
}

/**
 * Reads the LMS's result first if an earlier attempt may have arrived. @returns a temporary failure, or null
 * @throws {AgsAborted} leaving the row as being sent, for the next sender to read the result
 */
export async function sendOneScore(row: LtiScoreDoc, delivery: Delivery): Promise<TemporaryFailure | null> {
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
    const failed = scoreFailure(row, error, delivery.target)
    await deferScore({ ...sending, unsure: row.unsure }, failed, ags.clock.now())
    return failed
  }
}

/** The LMS has just answered for the line item, as Moodle does for a locked one. */
function scoreFailure({ attempts }: LtiScoreDoc, error: AgsRetryableError, target: ScoreTarget): TemporaryFailure {
  const ofLineItem = error.reply?.status === 500 && mayReadLineItems(target)
  // Any cause is possible the first time.
  const locked = ofLineItem && attempts > 0
  const reason: ScoreReason = locked
    ? { code: 'locked', message: lockedMessage(target, error) }
    : { code: 'later', message: error.message }
  return { error, ofLineItem, reason, waitMs: retryDelay(error, attempts + 1) }
}

const lockedMessage = ({ platform: { name } }: ScoreTarget, { reply }: AgsRetryableError) =>
  `Locked or refused in ${name} (${(reply && errorMessageOf(reply)) ?? 500}). If the column, or a student’s grade in it, is locked there, unlock it, and Assay sends the score.`

function scoreFor({ wanted, stamped_at }: LtiScoreDoc, lineItem: LineItemRef, now: Date): SentScore {
  const maximum = lineItem.maximum ?? UNKNOWN_MAXIMUM
  const points = wanted.score && scorePoints(wanted.score, maximum)
  return { ...wanted, points, maximum, stamp: nextTimestamp(now, stamped_at) }
}

async function isAlreadyInLms(row: SendingScore, sent: SentScore, { target, lineItem, ags }: Delivery) {
  if (!sameScore(sent, row.wanted)) return false
  const result = await fetchResult(target, lineItem, row.sub, ags)
  return result !== undefined && isCurrentInLms(result, sent, row.accepted)
}

/** Null where another claim is sending the row. */
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
    const reply = await postScore(row, score, lineItem, delivery)
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
      const result = await fetchResult(target, lineItem, row.sub, ags)
      if (result !== undefined && isCurrentInLms(result, score, row.accepted)) return accept(score, now)
      // Newer than the LMS's result by both clocks, or the LMS's own time if ours was in its future.
      const stamp =
        reply.kind === 'early'
          ? nextTimestamp(reply.at ?? now, row.accepted?.stamp)
          : nextTimestamp(now, score.stamp, result?.at, reply.at)
      score = { ...score, stamp }
      if (!(await recordSent(row, score))) return null
      continue
    }
    await markRefused(row, { code: 'refused', message: reply.message }, now)
    return 'refused'
  }
}

const SCORE_TYPE = 'application/vnd.ims.lis.v1.score+json'

/** `stale`: the LMS has one as new; `early`: the timestamp is in its future. `at`: the LMS's clock. */
type ScoreReply =
  | { kind: 'accepted' }
  | { kind: 'stale' | 'early'; at: Date | null; message: string }
  | { kind: 'deleted'; message: string }
  | { kind: 'refused'; message: string }

/** @throws {AgsRetryableError | AgsAborted} */
async function postScore(row: SendingScore, score: SentScore, lineItem: LineItemRef, { target, ags }: Delivery) {
  const body = JSON.stringify(await scoreBody(target, row, score))
  const call = { method: 'POST' as const, headers: { 'Content-Type': SCORE_TYPE }, body }
  return scoreReplyOf(target, await callAgs(target, lineItemServiceUrl(lineItem.url, 'scores').href, call, ags))
}

/**
 * Null points clear it. Moodle erases a comment left out. Canvas appends comments, so it gets new ones only, and counts
 * each score as a new attempt unless told otherwise.
 */
async function scoreBody({ platform }: ScoreTarget, row: SendingScore, { points, maximum, comment, stamp }: SentScore) {
  const common = {
    userId: row.sub,
    timestamp: stamp.toISOString(),
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
    ...(points === null ? {} : { scoreGiven: points, scoreMaximum: maximum }),
  }
  if (platform.lms !== 'canvas') return { ...common, comment }
  const first = row.accepted === null && points !== null
  const handedInAt = first && row.submission_id !== null ? await findSubmissionDate(row.submission_id) : null
  return {
    ...common,
    ...(comment === '' || row.accepted?.comment === comment ? {} : { comment }),
    'https://canvas.instructure.com/lti/submission': {
      new_submission: first,
      ...(handedInAt ? { submitted_at: handedInAt.toISOString() } : {}),
    },
  }
}

function scoreReplyOf(target: ScoreTarget, reply: PlatformResponse): ScoreReply {
  const { status, headers } = reply
  if (status < 300) return { kind: 'accepted' }
  const reason = errorMessageOf(reply)
  const message = refusalMessage(target, status, reason)
  const isBadRequest = (pattern: RegExp) => status === 400 && reason !== null && pattern.test(reason)
  const at = dateOf(headers.date)
  if (status === 409 || isBadRequest(/before last updated timestamp/i)) return { kind: 'stale', at, message }
  if (isBadRequest(/timestamp.* in the future/i)) return { kind: 'early', at, message }
  if (status === 404 || status === 410) return { kind: 'deleted', message }
  return { kind: 'refused', message }
}

function dateOf(header: string | undefined): Date | null {
  const time = Date.parse(header ?? '')
  return Number.isNaN(time) ? null : new Date(time)
}

function refusalMessage({ platform: { name } }: ScoreTarget, status: number, reason: string | null): string {
  const quoted = reason === null ? `${name} answered ${status} and gave no reason.` : `${name} says: “${reason}”.`
  if (status === 401) return `${name} denied Assay access. ${quoted}`
  if (status === 403) return `${name} does not let Assay write this score. ${quoted}`
  if (status === 404 || status === 410) return `${name} no longer has the column or the student. ${quoted}`
  const unknownStudent = reason !== null && /incorrect score|not found in course|not a student/i.test(reason)
  return unknownStudent ? `${quoted} Is the student enrolled there as a student?` : quoted
}
