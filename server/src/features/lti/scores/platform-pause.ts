import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { type LtiPlatformPauseDoc, LtiPlatformPauseModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import type { AgsRetryableError } from './ags-request.ts'

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

export async function afterPause(platformId: number, dueAt: Date | null): Promise<Date | null> {
  const pause = await platformPause(platformId)
  return dueAt && pause && pause.resume_at > dueAt ? pause.resume_at : dueAt
}

const LASTING_FAILURES = 3

export async function listPausedPlatforms(): Promise<{ name: string; problem: string }[]> {
  const pauses = await LtiPlatformPauseModel.find({ failures: { $gte: LASTING_FAILURES } }).lean()
  const platforms = await LtiPlatformModel.find(
    { _id: { $in: pauses.map(({ _id }) => _id) }, status: 'active' },
    { name: 1 },
  ).lean()
  return platforms.map(({ _id, name }) => ({ name, problem: pauses.find((one) => one._id === _id)?.problem ?? '' }))
}

export async function resumePlatform(platformId: number, now: Date): Promise<void> {
  const resumed = await LtiPlatformPauseModel.deleteOne({ _id: platformId })
  if (resumed.deletedCount === 0) return
  await LtiScoreModel.updateMany(
    { platform_id: platformId, state: 'waiting', attempts: { $gt: 0 }, 'reason.code': { $ne: 'locked' } },
    { $set: { next_at: now, attempts: 0 } },
  )
}

const BACKOFF = { initialMs: 1_000, maxMs: 60 * 60 * 1000 }
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** From a second, doubling up to an hour, or what the LMS asks for. */
export function retryDelay({ retryAfterMs }: Pick<AgsRetryableError, 'retryAfterMs'>, failures: number): number {
  return Math.max(exponentialBackoff(failures, BACKOFF), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
}
