import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import {
  type LtiScoreDoc,
  LtiScoreModel,
  type ReasonCode,
  type ScoreReason,
  type SentScore,
} from '../../../records/lti/score.model.ts'
import { isRevisionReleased } from '../../grades/release.service.ts'

/** In ms: what a sender that ended without a response had sent has arrived by then, or never will. */
const SETTLE_MS = 5_000

/** As it was when sending began. */
export type SendingScore = LtiScoreDoc & { claim: string }

/** In ms: the gradebook is read once for a class, when all of it has been sent. */
const CHECK_AFTER_MS = 10_000

export const unsentStates: LtiScoreDoc['state'][] = ['sending', 'waiting']

async function unsentRows(
  platformId: number,
  limit: number,
  where: { next_at?: { $lte: Date }; claim?: { $ne: string } } = {},
): Promise<LtiScoreDoc[]> {
  const ofState = (state: LtiScoreDoc['state']) =>
    LtiScoreModel.find({ platform_id: platformId, state, ...where })
      .sort({ next_at: 1 })
      .limit(limit)
      .lean()
  return (await Promise.all(unsentStates.map(ofState))).flat()
}

/** Those first that an earlier claim was sending when it ended. */
export async function dueRows(platformId: number, claim: string, now: Date, limit: number): Promise<LtiScoreDoc[]> {
  const rows = await unsentRows(platformId, limit, { next_at: { $lte: now }, claim: { $ne: claim } })
  return rows.slice(0, limit)
}

export async function nextDueAt(platformId: number): Promise<Date | null> {
  const times = (await unsentRows(platformId, 1)).map(({ next_at }) => next_at.getTime())
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/** Active LMSs only, without scores that wait until somebody links or turns on something. */
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

export async function platformsWithUnsentScores(): Promise<number[]> {
  return LtiScoreModel.distinct('platform_id', { state: { $in: unsentStates } })
}

/** Includes when it is due, which is all that a failed attempt changes. */
export const unchangedFilter = ({ _id, state, change, claim, next_at }: LtiScoreDoc) => ({
  _id,
  state,
  change,
  claim,
  next_at,
})

/** Null when the row has changed. Records `sent` first; later writes apply only until another claim sends the row. */
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

/** False when another claim is sending the row. */
export async function recordSent(row: SendingScore, sent: SentScore): Promise<boolean> {
  const noted = await LtiScoreModel.updateOne(claimFilter(row), { $set: { unsure: sent, stamped_at: sent.stamp } })
  return noted.matchedCount > 0
}

/** If something else is wanted by now, that is sent next. */
export async function markAccepted(row: SendingScore, sent: SentScore, now: Date): Promise<void> {
  const accepted = { ...sent, at: now }
  const check_at = new Date(now.getTime() + CHECK_AFTER_MS)
  const read = { result: null, check_at, returned: false }
  const done = { accepted, unsure: null, attempts: 0, reason: null, claim: null, updated_at: now, ...read }
  const current = await LtiScoreModel.updateOne(
    { ...claimFilter(row), change: row.change },
    { $set: { ...done, state: 'sent' } },
  )
  if (current.matchedCount > 0) return
  await LtiScoreModel.updateOne(claimFilter(row), { $set: { ...done, state: 'waiting', next_at: now } })
}

/** Somebody has to act, unless something else is wanted by now. */
export async function markRefused(row: SendingScore, reason: ScoreReason, now: Date): Promise<void> {
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
  countsAsFailure: boolean
}

export async function deferScore(
  row: SendingScore,
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

/** The row must not be sent as it is: the ledger is updated first. */
export async function releaseScore(row: LtiScoreDoc, waitMs: number, now: Date): Promise<void> {
  await LtiScoreModel.updateOne(unchangedFilter(row), {
    $set: { state: 'waiting', next_at: new Date(now.getTime() + waitMs) },
  })
}

/** Deferred, or refused until somebody acts. */
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

/** After the line item was replaced. */
export async function requeueSentScores(link: number, now: Date): Promise<void> {
  await LtiScoreModel.updateMany(
    { link, state: 'sent', 'wanted.score': { $ne: null } },
    { $set: { state: 'waiting', next_at: now, accepted: null, result: null, attempts: 0 }, $inc: { change: 1 } },
  )
}

/** Whether it is still what the student sees. */
export async function isReleased({ wanted, submission_id, user_id }: LtiScoreDoc): Promise<boolean> {
  if (wanted.score === null) return true
  return isRevisionReleased({ _id: submission_id ?? 0, student_id: user_id, revision: wanted.revision })
}
