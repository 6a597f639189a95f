import { isDeepStrictEqual } from 'node:util'

/** Precision of the stored time of the last launch. */
const LAUNCHED_AT_PRECISION_MS = 60 * 60 * 1000

/**
 * Whether a launch says anything new about an LMS course or link. A class that opens its quiz says the same thirty times: it is read
 * thirty times and written once.
 */
export function needsUpdate<T extends { launched_at: Date }>(
  { launched_at: now, ...claimed }: Partial<T> & { launched_at: Date },
  stored: T,
): boolean {
  if (now.getTime() - stored.launched_at.getTime() >= LAUNCHED_AT_PRECISION_MS) return true
  return !isDeepStrictEqual({ ...stored, ...claimed }, stored)
}
