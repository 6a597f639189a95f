import { type LtiPlatformPauseDoc, LtiPlatformPauseModel } from '../../../records/lti/platform-pause.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { backoffMs } from './score-rows.ts'

/** Lets a platform be for a while, longer each time in a row, and says why. */
export async function pausePlatform(
  platformId: number,
  { problem, waitMs }: { problem: string; waitMs: number | null },
  now: Date,
): Promise<void> {
  const failures = (await platformPause(platformId))?.failures ?? 0
  const resume_at = new Date(now.getTime() + backoffMs(failures, waitMs))
  await LtiPlatformPauseModel.updateOne(
    { _id: platformId },
    { $set: { failures: failures + 1, resume_at, problem } },
    { upsert: true },
  )
}

export const platformPause = (platformId: number): Promise<LtiPlatformPauseDoc | null> =>
  LtiPlatformPauseModel.findById(platformId).lean()

export const isPaused = (rest: LtiPlatformPauseDoc | null, now: Date): boolean => rest !== null && rest.resume_at > now

/** It takes scores again: those that failed with it need not wait any longer. */
export async function resumePlatform(platformId: number, now: Date): Promise<void> {
  const rested = await LtiPlatformPauseModel.deleteOne({ _id: platformId })
  if (rested.deletedCount === 0) return
  await LtiScoreModel.updateMany(
    { platform_id: platformId, state: 'waiting', attempts: { $gt: 0 } },
    { $set: { next_at: now, attempts: 0 } },
  )
}
