import type { ScoredAnswer } from './strata.ts'

/** What an answer may get that nobody has marked: the more often given in the class and the nearer to the grader's share, the likelier. */
export interface MarkDistribution {
  /** `spread`: how fast it falls with the distance, as a share of the points. */
  draw(share: number, spread: number, random: () => number): number
}

/** Each mark may have been given once in forty times, also where the sample has none. */
const LEAST_COUNT = 0.5

/** `given`: marks as shares of the points, and how many answers each stands for. */
export function markDistribution(given: readonly { mark: number; weight: number }[]): MarkDistribution {
  const total = given.reduce((sum, { weight }) => sum + weight, 0)
  const counts = new Map<number, number>([
    [0, LEAST_COUNT],
    [1, LEAST_COUNT],
  ])
  for (const { mark, weight } of given)
    counts.set(mark, (counts.get(mark) ?? LEAST_COUNT) + (weight / total) * given.length)
  const marks = [...counts.keys()]
  const often = [...counts.values()]
  return {
    draw(share, spread, random) {
      const likely = marks.map((mark, i) => (often[i] ?? 0) * Math.exp(-Math.abs(mark - share) / spread))
      let left = random() * likely.reduce((sum, one) => sum + one, 0)
      let at = 0
      while (at < likely.length - 1) {
        left -= likely[at] ?? 0
        if (left <= 0) break
        at++
      }
      return marks[at] ?? 0
    },
  }
}

const [LEAST_SPREAD, MOST_SPREAD] = [0.01, 20]

/** The spread with which a mark between 0 and 1 is as far from the grader's share on average as the grader expects. */
export function spreadOf({ share, expectedError }: ScoredAnswer): number {
  const known = spreads.get(`${share} ${expectedError}`)
  if (known !== undefined) return known
  let [low, high] = [LEAST_SPREAD, MOST_SPREAD]
  for (let i = 0; i < 25; i++) {
    const middle = Math.sqrt(low * high)
    if (errorOf(share, middle) < expectedError) low = middle
    else high = middle
  }
  const spread = Math.sqrt(low * high)
  if (spreads.size > 20_000) spreads.clear()
  spreads.set(`${share} ${expectedError}`, spread)
  return spread
}
const spreads = new Map<string, number>()

/** On a scale of fourths, each mark as frequent. */
const SCALE = [0, 0.25, 0.5, 0.75, 1]

function errorOf(share: number, spread: number): number {
  const likely = SCALE.map((mark) => Math.exp(-Math.abs(mark - share) / spread))
  const total = likely.reduce((sum, one) => sum + one, 0)
  return SCALE.reduce((sum, mark, i) => sum + ((likely[i] ?? 0) / total) * Math.abs(mark - share), 0)
}
