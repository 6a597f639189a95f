import { LtiScoreModel } from './score.model.ts'
import { waitAfter } from './score-rows.ts'
import { type LtiSenderDoc, LtiSenderModel } from './sender.model.ts'

/** Lets a platform be for a while, longer each time in a row, and says why. */
export async function rest(
  platformId: number,
  { problem, waitMs }: { problem: string; waitMs: number | null },
  now: Date,
): Promise<void> {
  const failures = (await restOf(platformId))?.failures ?? 0
  const resume_at = new Date(now.getTime() + waitAfter(failures, waitMs))
  await LtiSenderModel.updateOne(
    { _id: platformId },
    { $set: { failures: failures + 1, resume_at, problem } },
    { upsert: true },
  )
}

export const restOf = (platformId: number): Promise<LtiSenderDoc | null> =>
  LtiSenderModel.findById(platformId).lean()

export const isResting = (rest: LtiSenderDoc | null, now: Date): boolean =>
  rest !== null && rest.resume_at > now

/** It takes scores again: those that failed with it need not wait any longer. */
export async function endRest(platformId: number, now: Date): Promise<void> {
  const rested = await LtiSenderModel.deleteOne({ _id: platformId })
  if (rested.deletedCount === 0) return
  await LtiScoreModel.updateMany(
    { platform_id: platformId, state: 'waiting', attempts: { $gt: 0 } },
    { $set: { next_at: now, attempts: 0 } },
  )
}
