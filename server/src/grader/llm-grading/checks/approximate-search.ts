/** Longer texts are not searched for misspelt words: the time grows with both lengths. */
const MAX_SEARCHED_LENGTH = 20_000

/**
 * Where in `text`, from `start` on, something stands that becomes `wanted` by the fewest edits, if by `most` or fewer
 * (Sellers, 1980: an edit distance that may begin and end anywhere in the text). Offsets are in UTF-16 units.
 */
export function findApproximateMatch(
  wanted: string,
  text: string,
  start: number,
  most: number,
): { from: number; to: number } | null {
  if (most < 1 || text.length - start > MAX_SEARCHED_LENGTH || wanted.length > 600) return null
  const n = wanted.length
  let costs = Array.from({ length: n + 1 }, (_, i) => i)
  let origins = new Array<number>(n + 1).fill(start)
  let best: { cost: number; from: number; to: number } | null = null
  for (let at = start; at < text.length; at++) {
    const nextCosts = new Array<number>(n + 1)
    const nextOrigins = new Array<number>(n + 1)
    nextCosts[0] = 0
    nextOrigins[0] = at + 1
    for (let i = 1; i <= n; i++) {
      const replace = (costs[i - 1] ?? 0) + (wanted[i - 1] === text[at] ? 0 : 1)
      const added = (costs[i] ?? 0) + 1
      const missing = (nextCosts[i - 1] ?? 0) + 1
      const cost = Math.min(replace, added, missing)
      nextCosts[i] = cost
      nextOrigins[i] =
        (cost === replace ? (i === 1 ? at : origins[i - 1]) : cost === added ? origins[i] : nextOrigins[i - 1]) ?? at
    }
    costs = nextCosts
    origins = nextOrigins
    const cost = costs[n] ?? most + 1
    if (cost <= most && (!best || cost < best.cost)) best = { cost, from: origins[n] ?? at, to: at + 1 }
  }
  return best
}
