import { SubmissionModel } from '../../submissions/submission.model.ts'
import { type Ags, TryLater } from './ags.ts'
import type { Column } from './line-item.ts'
import type { LtiScoreDoc, SentScore } from './score.model.ts'
import { type Answer, postScore, readResult } from './score-call.ts'
import { type Claimed, claim, noteSent, putOff, refuse, settle, waitAfter } from './score-rows.ts'
import { isStanding, pointsOf, sameScore, stampAfter } from './score-values.ts'
import type { Target } from './targets.ts'

/** How often one score is sent with another time, where the LMS finds it too old. */
const MOST_STAMPS = 3

export interface Delivery {
  target: Target
  column: Column
  ags: Ags
  /** After the LMS has said that the column is gone: another one, found or made anew; null where there is none. */
  anotherColumn: (gone: Column) => Promise<Column | null>
}

/**
 * Sends one row and writes down what came of it. What an earlier sending may have left in the LMS is looked at before.
 * @returns why it did not work just now; null when the LMS has spoken, or the row is somebody else's
 * @throws {Stopped} with the row as it is: whoever comes next asks the LMS
 */
export async function sendOne(row: LtiScoreDoc, delivery: Delivery): Promise<TryLater | null> {
  const { column, ags } = delivery
  const fresh = scoreFor(row, column, ags.clock.now())
  const taken = await claim(row, ags.clock.now(), row.unsure ? null : fresh)
  if (!taken) return null
  try {
    if (row.unsure) {
      const there = await isThere(taken, row.unsure, delivery)
      if (there) {
        await settle(taken, row.unsure, ags.clock.now())
        return null
      }
      if (!(await noteSent(taken, fresh))) return null
    }
    await deliver(taken, fresh, delivery)
    return null
  } catch (error) {
    if (!(error instanceof TryLater)) throw error
    const waitMs = waitAfter(row.attempts, error.waitMs)
    const counts = !error.everybody
    await putOff(
      { ...taken, unsure: row.unsure },
      { message: error.message, waitMs, unsure: error.unsure, counts },
      ags.clock.now(),
    )
    return error
  }
}

function scoreFor({ wanted, stamped_at }: LtiScoreDoc, { maximum }: Column, now: Date): SentScore {
  const points = wanted.percent === null ? null : pointsOf(wanted.percent, maximum)
  return { ...wanted, points, maximum, stamp: stampAfter(now, stamped_at) }
}

/** Whether what is wanted went out before, and stands there. */
async function isThere(row: Claimed, sent: SentScore, { target, column, ags }: Delivery): Promise<boolean> {
  if (!sameScore(sent, row.wanted)) return false
  const result = await readResult(target, column.url, row.sub, ags)
  return result !== undefined && isStanding(result, sent, row.accepted)
}

async function deliver(row: Claimed, first: SentScore, delivery: Delivery): Promise<void> {
  const { target, ags } = delivery
  let { column } = delivery
  let score = first
  let renewed = false
  for (let stamps = 1; ; ) {
    const answer = await postScore(target, column.url, await toSend(row, score, target), ags)
    const now = ags.clock.now()
    if (answer.kind === 'taken') return settle(row, score, now)
    if (answer.kind === 'gone' && !renewed) {
      renewed = true
      const another = await delivery.anotherColumn(column)
      if (another && another.url !== column.url) {
        column = another
        score = scoreFor({ ...row, stamped_at: score.stamp }, column, now)
        if (!(await noteSent(row, score))) return
        continue
      }
    }
    if ((answer.kind === 'stale' || answer.kind === 'early') && stamps < MOST_STAMPS) {
      stamps++
      const result = await readResult(target, column.url, row.sub, ags)
      if (result !== undefined && isStanding(result, score, row.accepted)) return settle(row, score, now)
      score = { ...score, stamp: nextStamp(answer, score, row, result?.at ?? null, now) }
      if (!(await noteSent(row, score))) return
      continue
    }
    return refuse(row, { code: 'refused', message: answer.message }, now)
  }
}

/** Newer than what stands there, by its clock and by ours; of a time it has not come to yet, its own. */
function nextStamp(
  { kind, at }: Extract<Answer, { kind: 'stale' | 'early' }>,
  { stamp }: SentScore,
  { accepted }: Claimed,
  standing: Date | null,
  now: Date,
): Date {
  return kind === 'early' ? stampAfter(at ?? now, accepted?.stamp) : stampAfter(now, stamp, standing, at)
}

async function toSend(row: Claimed, score: SentScore, { platform }: Target) {
  const first = row.accepted === null && platform.lms === 'canvas' && row.submission_id !== null
  const paper = first ? await SubmissionModel.findById(row.submission_id, { created_at: 1 }).lean() : null
  return { sub: row.sub, score, before: row.accepted, handedInAt: paper?.created_at ?? null }
}
