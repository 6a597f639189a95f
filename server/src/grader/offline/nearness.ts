import { dot, sumOf, type TextVector } from './text-vector.ts'

const NEAR_SHARE = 0.3

interface Middle {
  reference: TextVector
  /** How many of the others are taken, the nearest first. */
  taken: number
  /** The nearest `taken` of all, and the one that moves up when one of those is asked about. */
  near: Set<number>
  next: TextVector | undefined
  sum: TextVector
  sumSquared: number
  withReference: number
}

/** Where a class's answers lie: near the key and those nearest to it, or far out. Vectors are of length 1 or empty. */
export class Nearness {
  readonly #answers: TextVector[]
  readonly #middles: Middle[]
  readonly #all: TextVector
  readonly #central: number

  constructor(answers: TextVector[], references: TextVector[]) {
    this.#answers = answers
    this.#middles = references.map((reference) => this.#middleOf(reference))
    this.#all = sumOf(answers)
    const { length } = answers
    this.#central =
      length > 1 ? answers.reduce((sum, answer) => sum + this.#meanCosine(answer), 0) / length : 0
  }

  #middleOf(reference: TextVector): Middle {
    const cosines = this.#answers.map((answer) => dot(answer, reference))
    const ranked = order(cosines)
    const others = ranked.length - 1
    const taken = others > 0 ? Math.max(1, Math.round(NEAR_SHARE * others)) : 0
    const near = ranked.slice(0, taken)
    const sum = sumOf(near.flatMap((i) => this.#answers[i] ?? []))
    return {
      reference,
      taken,
      near: new Set(near),
      next: this.#answers[ranked[taken] ?? -1],
      sum,
      sumSquared: dot(sum, sum),
      withReference: dot(sum, reference),
    }
  }

  /** Cosine of an answer to the key plus the middle of the 30 % of the *others* nearest to it. */
  toMiddle(reference: number, index: number): number {
    const middle = this.#middles[reference]
    const own = this.#answers[index]
    if (!middle || !own || own.size === 0) return 0
    const { reference: key, taken, sum, next } = middle
    const toKey = dot(own, key)
    const keySquared = dot(key, key)
    if (taken === 0) return toKey
    let { sumSquared, withReference } = middle
    let toSum = dot(own, sum)
    if (middle.near.has(index) && next) {
      // sum − own + next, without building it.
      const toNext = dot(own, next)
      sumSquared += 1 + dot(next, next) - 2 * toSum + 2 * dot(sum, next) - 2 * toNext
      withReference += dot(next, key) - toKey
      toSum += toNext - 1
    }
    const length = keySquared + (2 * withReference) / taken + sumSquared / taken ** 2
    return length > 0 ? (toKey + toSum / taken) / Math.sqrt(length) : 0
  }

  /** How much nearer than usual an answer is to the others: mean cosine to them, less the class's mean of that. */
  central(index: number): number {
    const own = this.#answers[index]
    return own && this.#answers.length > 1 ? this.#meanCosine(own) - this.#central : 0
  }

  cosine(a: number, b: number): number {
    const [one, other] = [this.#answers[a], this.#answers[b]]
    return one && other ? dot(one, other) : 0
  }

  #meanCosine(own: TextVector): number {
    return (dot(own, this.#all) - dot(own, own)) / (this.#answers.length - 1)
  }
}

/** Indices from the highest score to the lowest; ties as they stand, so that the same class gives the same order. */
export function order(scores: number[]): number[] {
  return scores.map((_, i) => i).sort((i, j) => (scores[j] ?? 0) - (scores[i] ?? 0) || i - j)
}
