const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Nights are from one to five, in the server's own time; each course has its minute, so that an LMS is not asked for all at once. */
const FROM_HOUR = 1
const MINUTES = 4 * 60

/** The coming night's time for a course. A prime spreads courses that were made one after the other. */
export function nextNightlySync(contextId: number, now: Date): Date {
  const at = new Date(now)
  at.setHours(FROM_HOUR, (contextId * 101) % MINUTES, 0, 0)
  if (at <= now) at.setDate(at.getDate() + 1)
  return at
}

/** After a failure it is tried again within hours, a few times; then at night as always. */
export function nextSyncRetry(contextId: number, failures: number, now: Date): Date {
  const night = nextNightlySync(contextId, now)
  const soon = new Date(now.getTime() + failures * HOUR_MS)
  return failures > 3 || night < soon ? night : soon
}
