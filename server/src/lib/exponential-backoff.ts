interface BackoffOptions {
  /** After the first failure; doubles with each further one. */
  initialMs: number
  maxMs?: number
  /** Fraction by which the delay varies, so that callers do not return at the same moment. */
  jitter?: number
  random?: () => number
}

/** In ms, after `failures` in a row (at least 1). */
export function exponentialBackoff(
  failures: number,
  { initialMs, maxMs = Number.POSITIVE_INFINITY, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
  return delayMs * (1 + jitter * (2 * random() - 1))
}
