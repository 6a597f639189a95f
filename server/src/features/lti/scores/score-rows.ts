import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import {
  type LtiScoreDoc,
  LtiScoreModel,
  type ReasonCode,
  type ScoreReason,
  type SentScore,
} from '../../../records/lti/score.model.ts'
import { isRevisionReleased } from '../../grades/release.service.ts'
import type { AgsRetryableError } from './ags-request.ts'
import { retryDelay } from './platform-pause.ts'

/** In ms, until what an ended sender had sent has arrived. */
const SETTLE_MS = 5_000

export type SendingScore = LtiScoreDoc & { claim: string }

/** In ms: the gradebook is read once for a whole class. */
const CHECK_AFTER_MS = 10_000

export const unsentStates: LtiScoreDoc['state'][] = ['sending', 'waiting']

async function unsentRows(
  platformId: number,
  limit: number,
  order: { attempts?: 1; next_at: 1 },
  where: { next_at?: { $lte: Date }; claim?: { $ne: string } } = {},
): Promise<LtiScoreDoc[]> {
  const ofState = (state: LtiScoreDoc['state']) =>
    LtiScoreModel.find({ platform_id: platformId, state, ...where })
      .sort(order)
      .limit(limit)
      .lean()
  return (await Promise.all(unsentStates.map(ofState))).flat()
}

/** First those left unfinished by an earlier claim. @param probing a paused platform: not by what failed */
export async function dueRows(
  platformId: number,
  { claim, now, limit, probing }: { claim: string; now: Date; limit: number; probing: boolean },
): Promise<LtiScoreDoc[]> {
  const order = { ...(probing ? { attempts: 1 as const } : {}), next_at: 1 as const }
  const rows = await unsentRows(platformId, limit, order, { next_at: { $lte: now }, claim: { $ne: claim } })
  return rows.slice(0, limit)
}

export async function nextDueAt(platformId: number): Promise<Date | null> {
  const times = (await unsentRows(platformId, 1, { next_at: 1 })).map(({ next_at }) => next_at.getTime())
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/** Active LMSs only, without scores that wait for somebody to act. */
export async function countUnsentScores(): Promise<{ state: LtiScoreDoc['state']; count: number }[]> {
  const platforms = await LtiPlatformModel.find({ status: 'active' }, { _id: 1 }).lean()
  const held: ReasonCode = 'held'
  const states: LtiScoreDoc['state'][] = [...unsentStates, 'refused']
  return Promise.all(
    states.map(async (state) => {
      // By platform, to use the index: otherwise it would read every score ever sent.
      const filter = { platform_id: { $in: platforms.map(({ _id }) => _id) }, state, 'reason.code': { $ne: held } }
      return { state, count: await LtiScoreModel.countDocuments(filter) }
    }),
  )
}

/** A failed attempt changes only `next_at`. */
export const unchangedFilter = ({ _id, state, change, claim, next_at }: LtiScoreDoc) => ({
  _id,
  state,
  change,
  claim,
  next_at,
})

/** Null when the row has changed. Later writes apply only until another claim sends the row. */
export async function markSending(
  row: LtiScoreDoc,
  claim: string,
  sent: SentScore | null,
  now: Date,
): Promise<SendingScore | null> {
  const found = await LtiScoreModel.findOneAndUpdate(unchangedFilter(row), {
    $set: {
      state: 'sending',
      claim,
      next_at: new Date(now.getTime() + SETTLE_MS),
      ...(sent ? { unsure: sent, stamped_at: sent.stamp } : {}),
    },
  }).lean()
  return found ? { ...found, claim } : null
}

const claimFilter = ({ _id, claim }: SendingScore) => ({ _id, claim })

export async function recordSent(row: SendingScore, sent: SentScore): Promise<boolean> {
  const noted = await LtiScoreModel.updateOne(claimFilter(row), { $set: { unsure: sent, stamped_at: sent.stamp } })
  return noted.matchedCount > 0
}

async function endSending(row: SendingScore, known: Partial<LtiScoreDoc>, then: Partial<LtiScoreDoc>, now: Date) {
  const done = { ...known, unsure: null, claim: null, updated_at: now }
  const current = { ...claimFilter(row), change: row.change }
  const ended = await LtiScoreModel.updateOne(current, { $set: { ...done, ...then } })
  if (ended.matchedCount > 0) return
  await LtiScoreModel.updateOne(claimFilter(row), { $set: { ...done, state: 'waiting', next_at: now } })
}

export function markAccepted(row: SendingScore, sent: SentScore, now: Date): Promise<void> {
  const check_at = new Date(now.getTime() + CHECK_AFTER_MS)
  const known = { accepted: { ...sent, at: now }, attempts: 0, reason: null, result: null, check_at, returned: false }
  return endSending(row, known, { state: 'sent' }, now)
}

export const markRefused = (row: SendingScore, reason: ScoreReason, now: Date): Promise<void> =>
  endSending(row, {}, { state: 'refused', reason }, now)

export interface TemporaryFailure {
  error: AgsRetryableError
  ofLineItem: boolean
  reason: ScoreReason
  waitMs: number
}

/** Where the LMS may have accepted it, its result is read before it is sent again. */
export async function deferScore(row: SendingScore, { error, reason, waitMs }: TemporaryFailure, now: Date) {
  await LtiScoreModel.updateOne(claimFilter(row), {
    $set: {
      state: 'waiting',
      reason,
      next_at: new Date(now.getTime() + waitMs),
      claim: null,
      updated_at: now,
      ...(error.outcomeUnknown ? {} : { unsure: row.unsure }),
    },
    ...(error.platformWide ? {} : { $inc: { attempts: 1 } }),
  })
}

/** The row must not be sent before the ledger is updated. */
export async function releaseScore(row: LtiScoreDoc, waitMs: number, now: Date): Promise<void> {
  await LtiScoreModel.updateOne(unchangedFilter(row), {
    $set: { state: 'waiting', next_at: new Date(now.getTime() + waitMs) },
  })
}

type LinkDeferral = Pick<LtiScoreDoc, 'state'> & Pick<TemporaryFailure, 'reason' | 'waitMs'>

/** Deferred, or refused until somebody acts. After an error, rows that had not failed wait for their first retry. */
export async function deferLinkScores(
  link: number,
  { state, reason, waitMs, error }: LinkDeferral & { error?: AgsRetryableError },
  now: Date,
): Promise<void> {
  const due = { link, state: { $in: unsentStates }, next_at: { $lte: now } }
  const setFor = (ms: number) => ({
    $set: { state, reason, next_at: new Date(now.getTime() + ms), updated_at: now },
    ...(error ? { $inc: { attempts: 1 } } : {}),
  })
  if (error) await LtiScoreModel.updateMany({ ...due, attempts: 0 }, setFor(retryDelay(error, 1)))
  await LtiScoreModel.updateMany(due, setFor(waitMs))
}

export async function requeueSentScores(link: number, now: Date): Promise<void> {
  await LtiScoreModel.updateMany(
    { link, state: 'sent', 'wanted.score': { $ne: null } },
    { $set: { state: 'waiting', next_at: now, accepted: null, result: null, attempts: 0 }, $inc: { change: 1 } },
  )
}

export async function isReleased({ wanted, submission_id, user_id }: LtiScoreDoc): Promise<boolean> {
  if (wanted.score === null) return true
  return isRevisionReleased({ _id: submission_id ?? 0, student_id: user_id, revision: wanted.revision })
}
