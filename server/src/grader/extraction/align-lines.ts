interface LineToAlign {
  text: string
  at?: number // 0 (top) to 1, on the page
}

const MIN_SIMILARITY = 0.3
/** Beyond this, lines only keep their order. */
const MOST_PAIRS = 400_000

/** For each new line the index of a similar known one, or null; in order, each used once. */
export function alignLines(fresh: readonly LineToAlign[], known: readonly LineToAlign[]): (number | null)[] {
  if (fresh.length * known.length > MOST_PAIRS) return fresh.map((_, i) => (i < known.length ? i : null))
  const paired = ({ text, at }: LineToAlign): PairedLine => ({ pairs: letterPairs(text), at })
  const pairedKnown = known.map(paired)
  // best[i][j]: the gain from fresh lines before i and known ones before j.
  const best = Array.from({ length: fresh.length + 1 }, () => new Float64Array(known.length + 1))
  const at = (rows: Float64Array[], i: number, j: number) => rows[i]?.[j] ?? 0
  for (const [i, a] of fresh.map(paired).entries())
    for (const [j, b] of pairedKnown.entries()) {
      const gain = lineSimilarity(a, b)
      const matched = gain > 0 ? at(best, i, j) + gain : 0
      const row = best[i + 1]
      if (row) row[j + 1] = Math.max(matched, at(best, i, j + 1), at(best, i + 1, j))
    }
  const matches = new Array<number | null>(fresh.length).fill(null)
  let [i, j] = [fresh.length, known.length]
  while (i > 0 && j > 0) {
    if (at(best, i, j) === at(best, i - 1, j)) i -= 1
    else if (at(best, i, j) === at(best, i, j - 1)) j -= 1
    else {
      matches[i - 1] = j - 1
      i -= 1
      j -= 1
    }
  }
  return matches
}

interface PairedLine {
  pairs: Map<string, number>
  at: number | undefined
}

function lineSimilarity(a: PairedLine, b: PairedLine): number {
  const words = dice(a.pairs, b.pairs)
  if (a.at === undefined || b.at === undefined) return words >= MIN_SIMILARITY ? words : 0
  const near = Math.max(0, 1 - Math.abs(a.at - b.at) / 0.06)
  const gain = 0.75 * words + 0.25 * near
  // Two readings of handwriting may share no pair of letters; then only the place tells.
  return gain >= MIN_SIMILARITY || (near > 0.75 && words > 0.1) ? gain : 0
}

/** Short words count by letter. */
function letterPairs(text: string): Map<string, number> {
  const flat = ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < flat.length; i += 1) {
    const pair = flat.slice(i, i + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

function dice(a: Map<string, number>, b: Map<string, number>): number {
  let [shared, all] = [0, 0]
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0)
    all += count
  }
  for (const count of b.values()) all += count
  return all === 0 ? 0 : (2 * shared) / all
}
