import { type LlmConfig, resolveLlm } from './resolve-llm.ts'

/** Whose share of the queue's places a course's questions take, wherever they are asked from. */
export const fairShareKey = (courseId: number | null): string => `course/${courseId ?? 0}`

function courseOfShare(share: string): number | null {
  const id = /^course\/(\d+)$/.exec(share)?.[1]
  return id === undefined ? null : Number(id)
}

/** How long the places may be those of before, in ms: the queue looks for work many times a second. */
const CACHE_MS = 1000
/** More courses than this are not remembered at a time. */
const MAX_CACHED = 500

/**
 * How many papers of a course are worked on at once: as many as its model may be asked about, and some more, as the next question should be
 * out while an answer is being written down. Each keeps to that at the model's own door; what one course may says nothing of another's.
 */
export function createConcurrencyLimits(config: LlmConfig): (share: string) => Promise<number> {
  const known = new Map<string, { count: Promise<number>; until: number }>()

  async function count(courseId: number): Promise<number> {
    const { at_once } = (await resolveLlm(courseId, config)).settings
    // None more for a slow model on one's own machine: the time a question may take runs while it waits at the door.
    return at_once + Math.floor(at_once / 4)
  }

  return (share) => {
    const courseId = courseOfShare(share)
    // A rubric that is being made, say: one job.
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
