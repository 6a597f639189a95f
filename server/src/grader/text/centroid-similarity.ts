import { dotProduct, sumVectors, type TextVector } from './text-vector.ts'

const NEAREST_SHARE = 0.3

interface Centroid {
  reference: TextVector
  count: number
  /** The nearest `taken`, and the one that moves up when a member is asked about. */
  members: Set<number>
  next: TextVector | undefined
  sum: TextVector
  sumSquared: number
  withReference: number
}

/** Vectors are of length 1 or empty. */
export class CentroidSimilarity {
  readonly #answers: TextVector[]
  readonly #middles: Centroid[]
  readonly #all: TextVector
  readonly #central: number

  constructor(answers: TextVector[], references: TextVector[]) {
    this.#answers = answers
    this.#middles = references.map((reference) => this.#middleOf(reference))
    this.#all = sumVectors(answers)
    const { length } = answers
    this.#central = length > 1 ? answers.reduce((sum, answer) => sum + this.#meanCosine(answer), 0) / length : 0
  }

  #middleOf(reference: TextVector): Centroid {
    const cosines = this.#answers.map((answer) => dotProduct(answer, reference))
    const ranked = rankDescending(cosines)
    const others = ranked.length - 1
    const taken = others > 0 ? Math.max(1, Math.round(NEAREST_SHARE * others)) : 0
    const near = ranked.slice(0, taken)
    const sum = sumVectors(near.flatMap((i) => this.#answers[i] ?? []))
    return {
      reference,
      count: taken,
      members: new Set(near),
      next: this.#answers[ranked[taken] ?? -1],
      sum,
      sumSquared: dotProduct(sum, sum),
      withReference: dotProduct(sum, reference),
    }
  }

  /** Cosine to the key plus the mean of the nearest 30 % of the *others*. */
  toCentroid(reference: number, index: number): number {
    const middle = this.#middles[reference]
    const own = this.#answers[index]
    if (!middle || !own || own.size === 0) return 0
    const { reference: key, count, sum, next } = middle
    const toKey = dotProduct(own, key)
    const keySquared = dotProduct(key, key)
    if (count === 0) return toKey
    let { sumSquared, withReference } = middle
    let toSum = dotProduct(own, sum)
    if (middle.members.has(index) && next) {
      // sum − own + next, without building it.
      const toNext = dotProduct(own, next)
      sumSquared += 1 + dotProduct(next, next) - 2 * toSum + 2 * dotProduct(sum, next) - 2 * toNext
      withReference += dotProduct(next, key) - toKey
      toSum += toNext - 1
    }
    const length = keySquared + (2 * withReference) / count + sumSquared / count ** 2
    return length > 0 ? (toKey + toSum / count) / Math.sqrt(length) : 0
  }

  /** Mean cosine to the others, less the class's mean of that. */
  centrality(index: number): number {
    const own = this.#answers[index]
    return own && this.#answers.length > 1 ? this.#meanCosine(own) - this.#central : 0
  }

  cosine(a: number, b: number): number {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    return one && other ? dotProduct(one, other) : 0
  }

  #meanCosine(own: TextVector): number {
    return (dotProduct(own, this.#all) - dotProduct(own, own)) / (this.#answers.length - 1)
  }
}

export function rankDescending(scores: number[]): number[] {
  return scores.map((_, i) => i).sort((i, j) => (scores[j] ?? 0) - (scores[i] ?? 0) || i - j)
}
