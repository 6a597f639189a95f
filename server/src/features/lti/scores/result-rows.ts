import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { type LtiScoreDoc, LtiScoreModel, type ReadResult } from '../../../records/lti/score.model.ts'
import type { AgsRetryableError } from './ags-request.ts'
import { retryDelay } from './platform-pause.ts'

const BATCH = 500

/** Accepted by the LMS, and nothing else is wanted since. */
export type AcceptedScore = LtiScoreDoc & { accepted: NonNullable<LtiScoreDoc['accepted']> }

/** `accepted`: of the line item's maximum now. `sendAgain`: the LMS no longer has it, or as points of another maximum. */
export interface FoundResult {
  row: AcceptedScore
  result: ReadResult
  accepted: AcceptedScore['accepted']
  sendAgain: boolean
}

export async function nextCheck(platform_id: number): Promise<{ link: number; at: Date } | null> {
  const row = await LtiScoreModel.findOne({ platform_id, check_at: { $ne: null }, state: 'sent' })
    .sort({ check_at: 1 })
    .lean()
  return row?.check_at ? { link: row.link, at: row.check_at } : null
}

export function platformsWithDueChecks(where: { assignment_id?: number } = {}): Promise<number[]> {
  return LtiScoreModel.distinct('platform_id', { ...where, check_at: { $ne: null }, state: 'sent' })
}

export async function acceptedRows(link: number, assignment_id: number): Promise<AcceptedScore[]> {
  const rows: LtiScoreDoc[] = await LtiScoreModel.find({ link, assignment_id, state: 'sent' }).lean()
  return rows.filter((row): row is AcceptedScore => row.accepted !== null)
}

export async function endChecks(link: number): Promise<void> {
  await LtiScoreModel.updateMany({ link, check_at: { $ne: null } }, { $set: { check_at: null } })
}

export async function deferCheck(
  { _id: link, results_failures = 0 }: LtiResourceLinkDoc,
  failed: AgsRetryableError,
  now: Date,
): Promise<void> {
  const check_at = new Date(now.getTime() + retryDelay(failed, results_failures + 1))
  await LtiResourceLinkModel.updateOne({ _id: link }, { $inc: { results_failures: 1 } })
  await LtiScoreModel.updateMany({ link, check_at: { $ne: null, $lte: now } }, { $set: { check_at } })
}

/** Unless the score has changed. @param readable false if the LMS shows none. @returns whether to send again */
export async function storeResults(link: number, found: FoundResult[], readable: boolean, now: Date): Promise<boolean> {
  const again = { state: 'waiting' as const, next_at: now, attempts: 0, reason: null }
  const writes = found.map(({ row, result, accepted, sendAgain }) => {
    const { _id, change, returned } = row
    const shown = result.state === 'same' || result.state === 'different'
    const kept = result.state === 'same' || result.state === 'unknown'
    const read = { result, check_at: null, returned: false, ...(shown ? { resent: false } : {}) }
    return {
      updateOne: {
        filter: {
          ...{ _id, change, state: 'sent' as const, 'accepted.stamp': accepted.stamp },
          // Whoever has returned since is looked at once more.
          ...(returned ? {} : { returned: { $ne: true } }),
        },
        update: sendAgain
          ? {
              $set: { ...read, ...again, resent: result.state !== 'same', accepted: kept ? accepted : null },
              $inc: { change: 1 },
            }
          : { $set: { ...read, accepted } },
      },
    }
  })
  for (let from = 0; from < writes.length; from += BATCH)
    await LtiScoreModel.bulkWrite(writes.slice(from, from + BATCH), { ordered: false })
  await LtiResourceLinkModel.updateOne(
    { _id: link },
    { $set: { results_failures: 0, ...(readable ? { results_read_at: now } : {}) } },
  )
  return found.some(({ sendAgain }) => sendAgain)
}
