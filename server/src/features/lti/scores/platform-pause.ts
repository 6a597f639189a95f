import { type LtiPlatformPauseDoc, LtiPlatformPauseModel } from '../../../records/lti/platform-pause.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { AgsRetryableError } from './ags-request.ts'
import { retryDelay } from './retry-delay.ts'

/** Pauses sending to a platform, longer after each consecutive failure, and records why. */
export async function pausePlatform(platformId: number, failed: AgsRetryableError, now: Date): Promise<void> {
  const failures = ((await platformPause(platformId))?.failures ?? 0) + 1
  const resume_at = new Date(now.getTime() + retryDelay(failed, failures))
  await LtiPlatformPauseModel.updateOne(
    { _id: platformId },
    { $set: { failures, resume_at, problem: failed.message } },
    { upsert: true },
  )
}

export const platformPause = (platformId: number): Promise<LtiPlatformPauseDoc | null> =>
  LtiPlatformPauseModel.findById(platformId).lean()

export const isPaused = (pause: LtiPlatformPauseDoc | null, now: Date): boolean =>
  pause !== null && pause.resume_at > now

/** The platform accepts scores again: those that failed need not wait any longer. */
export async function resumePlatform(platformId: number, now: Date): Promise<void> {
  const resumed = await LtiPlatformPauseModel.deleteOne({ _id: platformId })
  if (resumed.deletedCount === 0) return
  await LtiScoreModel.updateMany(
    { platform_id: platformId, state: 'waiting', attempts: { $gt: 0 } },
    { $set: { next_at: now, attempts: 0 } },
  )
}
