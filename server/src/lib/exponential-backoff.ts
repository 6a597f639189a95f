interface BackoffOptions {
  /** The delay after the first failure, in ms; it doubles with each further one. */
  initialMs: number
  maxMs?: number
  /** How far the delay may vary either way, as a fraction of it, so that many callers do not come back at the same moment. */
  jitter?: number
  /** In [0, 1). */
  random?: () => number
}

/** @returns how long to wait after so many failures in a row (at least 1), in ms */
export function exponentialBackoff(
  failures: number,
  { initialMs, maxMs = Number.POSITIVE_INFINITY, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
  return delayMs * (1 + jitter * (2 * random() - 1))
}
