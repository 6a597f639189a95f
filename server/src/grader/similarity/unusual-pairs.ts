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
/** Spread of a pair expected to share nothing, in nats. */
const BASE_SPREAD = 6
/** Of more, the pairs would fill the memory: 200 MB for these. */
const MOST_PAPERS = 5000

/**
 * Pairs of papers that share more than the pairs of this class do by chance. `papers`: the features of each, shared by reference.
 *
 * What two papers share by chance grows with what both wrote: E = κ · La · Lb, where L is the sum of a paper's weights. z = (S − E) / √(E·s + s²).
 * The tail of z is taken as exponential, its scale from the class's own quantiles, which few copies do not move; a pair's tail
 * probability times the number of pairs (Bonferroni) is how many such pairs chance would make.
 *
 * @param pause awaited between pieces of the work
 * @throws {RangeError} for more than 5,000 papers
 */
export async function unusualPairs(
  papers: readonly (readonly { papers: number[]; weight: number }[])[],
  pause: () => Promise<void> | undefined,
): Promise<UnusualPair[]> {
  if (papers.length > MOST_PAPERS) throw new RangeError(`More than ${MOST_PAPERS} papers are not compared.`)
  const count = (papers.length * (papers.length - 1)) / 2
  if (count === 0) return []
  // What each pair shares: the first paper with all after it, then the second, and so on.
  const shared = new Float64Array(count)
  let at = 0
  for (const [first, features] of papers.entries()) {
    const row = new Float64Array(papers.length)
    for (const { papers: having, weight } of features)
      for (const second of having) row[second] = (row[second] ?? 0) + weight
    shared.set(row.subarray(first + 1), at)
    at += papers.length - first - 1
    await pause()
  }
  const lengths = papers.map((features) => features.reduce((sum, { weight }) => sum + weight, 0))
  const all = lengths.reduce((total, length) => total + length, 0)
  const products = (all ** 2 - lengths.reduce((total, length) => total + length ** 2, 0)) / 2
  const rate = products > 0 ? (await sumOfUsual(shared, pause)) / products : 0
  const zs = new Float64Array(count)
  for (const { first, second, at } of pairsOf(papers.length)) {
    const expected = rate * (lengths[first] ?? 0) * (lengths[second] ?? 0)
    zs[at] = ((shared[at] ?? 0) - expected) / Math.sqrt(expected * BASE_SPREAD + BASE_SPREAD ** 2)
    if (second === first + 1) await pause()
  }
  const [body, tail] = [
    await nthLargest(zs, Math.ceil(count * 0.3), pause),
    await nthLargest(zs, Math.ceil(count * 0.1), pause),
  ]
  const scale = Math.max(LEAST_SCALE, (tail - body) / Math.log(3))
  const unusual: UnusualPair[] = []
  for (const { first, second, at } of pairsOf(papers.length)) {
    if (second === first + 1) await pause()
    if ((shared[at] ?? 0) < LEAST_SHARED) continue
    const expectedByChance = count * Math.min(1, 0.1 * Math.exp(-((zs[at] ?? 0) - tail) / scale))
    if (expectedByChance <= CHANCE_LIMIT) unusual.push({ first, second, expectedByChance })
  }
  return unusual.sort((a, b) => a.expectedByChance - b.expectedByChance || a.first - b.first || a.second - b.second)
}

function* pairsOf(papers: number) {
  for (let first = 0, at = 0; first < papers; first++)
    for (let second = first + 1; second < papers; second++) yield { first, second, at: at++ }
}

/** Without the top twentieth, so that copies do not pass as what is usual. */
async function sumOfUsual(shared: Float64Array, pause: () => Promise<void> | undefined): Promise<number> {
  const top = Math.ceil(shared.length / 20)
  const limit = await nthLargest(shared, top, pause)
  let [sum, above] = [0, 0]
  for (const weight of shared)
    if (weight > limit) above++
    else sum += weight
  // As many of those at the limit as the top has left.
  return sum - (top - above) * limit
}

/**
 * The value that `n` others are above, by halving the range it is in: sorting millions would hold up everybody else. 0 where it is not
 * above 0.
 */
async function nthLargest(values: Float64Array, n: number, pause: () => Promise<void> | undefined): Promise<number> {
  let low = 0
  let high = values.reduce((most, value) => Math.max(most, value), 0)
  for (let i = 0; i < 60 && low < high; i++) {
    const middle = (low + high) / 2
    let above = 0
    for (const value of values) if (value > middle) above++
    if (above > n) low = middle
    else high = middle
    await pause()
  }
  return high
}
