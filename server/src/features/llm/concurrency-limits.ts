import { type LlmConfig, resolveLlm } from './resolve-llm.ts'

export const fairShareKey = (courseId: number | null): string => `course/${courseId ?? 0}`

function courseOfShare(share: string): number | null {
  const id = /^course\/(\d+)$/.exec(share)?.[1]
  return id === undefined ? null : Number(id)
}

/** In ms: the queue looks for work many times a second. */
const CACHE_MS = 1000
const MAX_CACHED = 500

/** More than the LLM's own concurrency, so that the next request goes out while a response is being stored. */
export function createConcurrencyLimits(config: LlmConfig): (share: string) => Promise<number> {
  const known = new Map<string, { count: Promise<number>; until: number }>()

  async function count(courseId: number): Promise<number> {
    const { at_once } = (await resolveLlm(courseId, config)).settings
    // None more for a slow local LLM: a request's timeout runs while it waits for a slot.
    return at_once + Math.floor(at_once / 4)
  }

  return (share) => {
    const courseId = courseOfShare(share)
    // For example rubric generation: one job.
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
