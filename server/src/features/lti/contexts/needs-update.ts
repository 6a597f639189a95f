import { isDeepStrictEqual } from 'node:util'

/** How exactly it is kept when something was last opened. */
const LAUNCHED_AT_PRECISION_MS = 60 * 60 * 1000

/**
 * Whether a launch says anything of an LMS's course or link that is not stored. A class that opens its quiz at nine says the same of
 * both thirty times over: that is read thirty times, and written once.
 */
export function needsUpdate<T extends { launched_at: Date }>(
  { launched_at: now, ...said }: Partial<T> & { launched_at: Date },
  stored: T,
): boolean {
  if (now.getTime() - stored.launched_at.getTime() >= LAUNCHED_AT_PRECISION_MS) return true
  return !isDeepStrictEqual({ ...stored, ...said }, stored)
}
