import { randomUUID } from 'node:crypto'
import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'
import {
  type LtiScoreDoc,
  LtiScoreModel,
  type ReasonCode,
  type ScoreReason,
  type SentScore,
} from '../../../records/lti/score.model.ts'
import { isRevisionReleased } from '../../grades/release-queries.ts'

/**
 * How long a row stays claimed by the process that sends it, in ms: of a process that died, what it had sent has arrived by then, or never
 * will, and what the LMS has by then is final.
 */
const LEASE_MS = 5_000
const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 60 * 60 * 1000
/** An LMS that asks for more is asked once a day. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** A row we are sending, as it was when claimed. */
export type ClaimedScore = LtiScoreDoc & { claim: string }

/** How long to wait after so many failures in a row: a second, doubling up to an hour, or what the LMS asked for. */
export function backoffMs(failures: number, asked: number | null = null): number {
  const own = exponentialBackoff(failures + 1, { initialMs: MIN_BACKOFF_MS, maxMs: MAX_BACKOFF_MS })
  return Math.max(own, Math.min(asked ?? 0, MAX_RETRY_AFTER_MS))
}

/** Rows due now, the longest waiting first; also those a dead process was sending. */
export async function dueRows(platformId: number, now: Date, limit: number): Promise<LtiScoreDoc[]> {
  const due = (state: LtiScoreDoc['state']) =>
    LtiScoreModel.find({ platform_id: platformId, state, next_at: { $lte: now } })
      .sort({ next_at: 1 })
      .limit(limit)
      .lean()
  return [...(await due('sending')), ...(await due('waiting'))].slice(0, limit)
}

export async function hasDueRows(platformId: number, now: Date): Promise<boolean> {
  return (await dueRows(platformId, now, 1)).length > 0
}

/**
 * Claims a row for sending; null when it has changed since it was read. `sent` is recorded in the same write, before it goes out.
 */
export async function claimScore(row: LtiScoreDoc, now: Date, sent: SentScore | null): Promise<ClaimedScore | null> {
  const claim = randomUUID()
  const found = await LtiScoreModel.findOneAndUpdate(
    { _id: row._id, state: row.state, change: row.change, claim: row.claim },
    {
      $set: {
        state: 'sending',
        claim,
        next_at: new Date(now.getTime() + LEASE_MS),
        ...(sent ? { unsure: sent, stamped_at: sent.stamp } : {}),
      },
    },
    { returnDocument: 'after' },
  ).lean()
  return found ? { ...found, claim } : null
}

const claimFilter = ({ _id, claim }: ClaimedScore) => ({ _id, claim })

/** Records a score before it is sent. False when another process has claimed the row. */
export async function recordSent(row: ClaimedScore, sent: SentScore): Promise<boolean> {
  const noted = await LtiScoreModel.updateOne(claimFilter(row), { $set: { unsure: sent, stamped_at: sent.stamp } })
  return noted.matchedCount > 0
}

/** The LMS has accepted it. If something else is wanted by now, that is sent next. */
export async function markAccepted(row: ClaimedScore, sent: SentScore, now: Date): Promise<void> {
  const accepted = { ...sent, at: now }
  const done = { accepted, unsure: null, attempts: 0, reason: null, claim: null, updated_at: now }
  const current = await LtiScoreModel.updateOne(
    { ...claimFilter(row), change: row.change },
    { $set: { ...done, state: 'sent' } },
  )
  if (current.matchedCount > 0) return
  await LtiScoreModel.updateOne(claimFilter(row), { $set: { ...done, state: 'waiting', next_at: now } })
}

/** The LMS has refused it: somebody has to act, unless something else is wanted by now. */
export async function markRefused(row: ClaimedScore, reason: ScoreReason, now: Date): Promise<void> {
  const done = { unsure: null, claim: null, updated_at: now }
  const current = await LtiScoreModel.updateOne(
    { ...claimFilter(row), change: row.change },
    { $set: { ...done, state: 'refused', reason } },
  )
  if (current.matchedCount > 0) return
  await LtiScoreModel.updateOne(claimFilter(row), { $set: { ...done, state: 'waiting', next_at: now } })
}

interface Deferral {
  message: string
  waitMs: number
  /** The LMS may have accepted it: its result is read before it is sent again. */
  outcomeUnknown: boolean
  /** Counts as a failure of this row. */
  countsAsFailure: boolean
}

export async function deferScore(
  row: ClaimedScore,
  { message, waitMs, outcomeUnknown, countsAsFailure }: Deferral,
  now: Date,
): Promise<void> {
  await LtiScoreModel.updateOne(claimFilter(row), {
    $set: {
      state: 'waiting',
      reason: { code: 'later', message },
      next_at: new Date(now.getTime() + waitMs),
      claim: null,
      updated_at: now,
      ...(outcomeUnknown ? {} : { unsure: row.unsure }),
    },
    ...(countsAsFailure ? { $inc: { attempts: 1 } } : {}),
  })
}

/** Returns a row that must not be sent as it is: the ledger is updated first. */
export async function releaseScore(row: LtiScoreDoc, waitMs: number, now: Date): Promise<void> {
  await LtiScoreModel.updateOne(
    { _id: row._id, change: row.change, claim: row.claim },
    { $set: { state: 'waiting', next_at: new Date(now.getTime() + waitMs) } },
  )
}

/** Everything that waits for one line item: deferred, or refused until somebody acts. */
export async function deferLinkScores(
  link: number,
  set: { state: 'waiting' | 'refused'; code: ReasonCode; message: string; waitMs: number },
  now: Date,
): Promise<void> {
  const { state, code, message, waitMs } = set
  const next_at = new Date(now.getTime() + waitMs)
  await LtiScoreModel.updateMany(
    { link, state: { $in: ['waiting', 'sending'] }, next_at: { $lte: now } },
    {
      $set: { state, reason: { code, message }, next_at, updated_at: now },
      ...(code === 'later' ? { $inc: { attempts: 1 } } : {}),
    },
  )
}

/** The line item was replaced: its scores are sent again. */
export async function requeueSentScores(link: number, now: Date): Promise<void> {
  await LtiScoreModel.updateMany(
    { link, state: 'sent', 'wanted.percent': { $gte: 0 } },
    { $set: { state: 'waiting', next_at: now, accepted: null, attempts: 0 }, $inc: { change: 1 } },
  )
}

/** Whether the row still is what the student sees. */
export async function isReleased({ wanted, submission_id, user_id }: LtiScoreDoc): Promise<boolean> {
  if (wanted.percent === null) return true
  return isRevisionReleased({ _id: submission_id ?? 0, student_id: user_id, revision: wanted.revision })
}
