import { type LlmConfig, resolveLlm } from './resolve-llm.ts'

/** The fair-share key of a course's LLM requests, wherever they are made. */
export const fairShareKey = (courseId: number | null): string => `course/${courseId ?? 0}`

function courseOfShare(share: string): number | null {
  const id = /^course\/(\d+)$/.exec(share)?.[1]
  return id === undefined ? null : Number(id)
}

/** How long limits are cached, in ms: the queue looks for work many times a second. */
const CACHE_MS = 1000
/** More courses than this are not cached at a time. */
const MAX_CACHED = 500

/**
 * How many papers of a course are processed at once: as many as its LLM may have requests, and some more, as the next request should be
 * sent while a response is being stored. Requests are limited by the LLM's own semaphore; one course's limit says nothing of another's.
 */
export function createConcurrencyLimits(config: LlmConfig): (share: string) => Promise<number> {
  const known = new Map<string, { count: Promise<number>; until: number }>()

  async function count(courseId: number): Promise<number> {
    const { at_once } = (await resolveLlm(courseId, config)).settings
    // None more for a slow LLM on one's own machine: a request's timeout runs while it waits for a slot.
    return at_once + Math.floor(at_once / 4)
  }

  return (share) => {
    const courseId = courseOfShare(share)
    // A rubric being made, say: one job.
    if (courseId === null) return Promise.resolve(1)
    const now = performance.now()
    const before = known.get(share)
    if (before && now <= before.until) return before.count
    if (known.size >= MAX_CACHED) known.clear()
    const counting = count(courseId)
    known.set(share, { count: counting, until: now + CACHE_MS })
    counting.catch(() => known.delete(share))
    return counting
  }
}
