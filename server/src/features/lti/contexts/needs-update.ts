import { isDeepStrictEqual } from 'node:util'

const LAUNCHED_AT_PRECISION_MS = 60 * 60 * 1000

/** A class opening its quiz would write the same facts thirty times. */
export function needsUpdate<T extends { launched_at: Date }>(
  { launched_at: now, ...claimed }: Partial<T> & { launched_at: Date },
  stored: T,
): boolean {
  if (now.getTime() - stored.launched_at.getTime() >= LAUNCHED_AT_PRECISION_MS) return true
  return !isDeepStrictEqual({ ...stored, ...claimed }, stored)
}
