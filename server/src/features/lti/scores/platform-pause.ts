import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
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

/** Fewer are an outage of a minute. */
const LASTING_FAILURES = 3

/** Active platforms that have not accepted a score for a while, and why. */
export async function listPausedPlatforms(): Promise<{ name: string; problem: string }[]> {
  const pauses = await LtiPlatformPauseModel.find({ failures: { $gte: LASTING_FAILURES } }).lean()
  const platforms = await LtiPlatformModel.find(
    { _id: { $in: pauses.map(({ _id }) => _id) }, status: 'active' },
    { name: 1 },
  ).lean()
  return platforms.map(({ _id, name }) => ({ name, problem: pauses.find((one) => one._id === _id)?.problem ?? '' }))
}

/** The platform accepts scores again: those that failed need not wait any longer. */
export async function resumePlatform(platformId: number, now: Date): Promise<void> {
  const resumed = await LtiPlatformPauseModel.deleteOne({ _id: platformId })
  if (resumed.deletedCount === 0) return
  await LtiScoreModel.updateMany(
    { platform_id: platformId, state: 'waiting', attempts: { $gt: 0 } },
    { $set: { next_at: now, attempts: 0 } },
  )
}
