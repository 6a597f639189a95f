export interface UnusualPair {
  first: number
  second: number
  expectedByChance: number
}

/** Pairs so alike that chance makes more of them than this in a class are no hint. */
const CHANCE_LIMIT = 0.02
/** Least surprise a pair has to share, in nats, however different the others are. */
const LEAST_SHARED = 25
/** Least scale of the tail: a class of five has too few pairs to tell how far chance goes. */
const LEAST_SCALE = 0.75
/** Rows of pairs between two reports. */
const REPORT_EVERY = 50
/** Spread of a pair expected to share nothing, in nats. */
const BASE_SPREAD = 6

/**
 * Pairs of papers that share more than the pairs of this class do by chance. `papers`: the features of each, shared by reference.
 *
 * What two papers share by chance grows with what both wrote: E = κ · La · Lb, where L is the sum of a paper's weights. z = (S − E) / √(E·s + s²).
 * The tail of z is taken as exponential, its scale from the class's own quantiles, which few copies do not move; a pair's tail
 * probability times the number of pairs (Bonferroni) is how many such pairs chance would make.
 */
export function unusualPairs(
  papers: readonly (readonly { papers: number[]; weight: number }[])[],
  progress: (share: number) => void = () => {},
): UnusualPair[] {
  const lengths = papers.map((features) => features.reduce((sum, { weight }) => sum + weight, 0))
  const count = (papers.length * (papers.length - 1)) / 2
  if (count === 0) return []
  const shared = sharedWeights(papers, progress)
  // The top twentieth is left out, so that copies do not pass as what is usual.
  const usual = shared.map(({ weight }) => weight).sort((a, b) => b - a)
  const sum = usual.slice(Math.ceil(count / 20)).reduce((total, weight) => total + weight, 0)
  const all = lengths.reduce((total, length) => total + length, 0)
  const products = (all ** 2 - lengths.reduce((total, length) => total + length ** 2, 0)) / 2
  const rate = products > 0 ? sum / products : 0
  const zOf = (weight: number, a: number, b: number) => {
    const expected = rate * (lengths[a] ?? 0) * (lengths[b] ?? 0)
    return (weight - expected) / Math.sqrt(expected * BASE_SPREAD + BASE_SPREAD ** 2)
  }
  const scored = shared.map((pair) => ({ ...pair, z: zOf(pair.weight, pair.first, pair.second) }))
  const zs = scored.map(({ z }) => z).sort((a, b) => b - a)
  // Pairs that share nothing are below all others.
  const above = (share: number) => Math.max(0, zs[Math.ceil(count * share)] ?? 0)
  const [body, tail] = [above(0.3), above(0.1)]
  const scale = Math.max(LEAST_SCALE, (tail - body) / Math.log(3))
  return scored
    .map(({ first, second, weight, z }) => ({
      first,
      second,
      weight,
      expectedByChance: count * Math.min(1, 0.1 * Math.exp(-(z - tail) / scale)),
    }))
    .filter(({ weight, expectedByChance }) => weight >= LEAST_SHARED && expectedByChance <= CHANCE_LIMIT)
    .sort((a, b) => a.expectedByChance - b.expectedByChance || a.first - b.first || a.second - b.second)
    .map(({ first, second, expectedByChance }) => ({ first, second, expectedByChance }))
}

/** The pairs that share anything, with the weight they share; one row of pairs at a time. */
function sharedWeights(
  papers: readonly (readonly { papers: number[]; weight: number }[])[],
  progress: (share: number) => void,
) {
  const pairs: { first: number; second: number; weight: number }[] = []
  const row = new Float64Array(papers.length)
  for (const [first, features] of papers.entries()) {
    if (first % REPORT_EVERY === 0) progress(first / papers.length)
    row.fill(0)
    for (const { papers: having, weight } of features)
      for (const second of having) if (second > first) row[second] = (row[second] ?? 0) + weight
    for (const [second, weight] of row.entries()) if (weight > 0) pairs.push({ first, second, weight })
  }
  return pairs
}
