import { PromiseCache } from '../../lib/promise-cache.ts'
import { type LlmConfig, resolveLlm } from './resolve-llm.ts'

export const fairShareKey = (courseId: number | null): string => `course/${courseId ?? 0}`

function courseOfShare(share: string): number | null {
  const id = /^course\/(\d+)$/.exec(share)?.[1]
  return id === undefined ? null : Number(id)
}

/** More than the LLM's own, so that the next request goes out while a response is being stored. */
export function createConcurrencyLimits(config: LlmConfig): (share: string) => Promise<number> {
  // The queue asks many times a second.
  const known = new PromiseCache<number, number>({ max: 500, ttl: 1000 })

  async function count(courseId: number): Promise<number> {
    const { at_once } = (await resolveLlm(courseId, config)).settings
    // None more for a slow local LLM: a request's timeout runs while it waits for a slot.
    return at_once + Math.floor(at_once / 4)
  }

  return (share) => {
    const courseId = courseOfShare(share)
    // For example rubric generation: one job.
    return courseId === null ? Promise.resolve(1) : known.get(courseId, () => count(courseId))
  }
}
