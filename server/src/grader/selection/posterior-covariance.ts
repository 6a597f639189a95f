import { NOISE_VARIANCE, residualCovariance, USUAL_ERROR } from '../scoring/teacher-calibration.ts'
import type { MarkableAnswer } from './markable-answer.ts'

/** How uncertain the grader's errors on some answers are, and how they hang together, as decisions are taken in one after the other. */
export class PosteriorCovariance {
  readonly #rows: Float64Array[]

  /** `similarity` of two of the answers by their places, 0..1. */
  constructor(answers: readonly MarkableAnswer[], similarity: (a: number, b: number) => number) {
    const covariance = (i: number, a: MarkableAnswer, j: number, b: MarkableAnswer) =>
      a.comparable && b.comparable
        ? residualCovariance(asDoubtfulAsMost(i, a), asDoubtfulAsMost(j, b), similarity)
        : Number(i === j)
    const rows: Float64Array[] = []
    // Symmetric: comparing words is what takes the time.
    for (const [i, a] of answers.entries())
      rows.push(Float64Array.from(answers, (b, j) => rows[j]?.[i] ?? covariance(i, a, j, b)))
    this.#rows = rows
  }

  variance(i: number): number {
    return this.#rows[i]?.[i] ?? 0
  }

  /** The variance of the `i`-th once the `decided`-th is known. */
  varianceAfter(i: number, decided: number): number {
    const shared = this.#rows[decided]?.[i] ?? 0
    return this.variance(i) - shared ** 2 / (this.variance(decided) + NOISE_VARIANCE)
  }

  /** Takes in a decision (conditioning of a normal distribution: Rasmussen & Williams 2006, A.2). */
  decide(decided: number): void {
    const own = Float64Array.from(this.#rows[decided] ?? [])
    const total = (own[decided] ?? 0) + NOISE_VARIANCE
    for (const [i, row] of this.#rows.entries()) {
      const factor = (own[i] ?? 0) / total
      if (factor !== 0) for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (own[j] ?? 0)
    }
  }
}

/** How doubtful each is counts where errors are added up, and only there. */
const asDoubtfulAsMost = (index: number, { share }: MarkableAnswer) => ({ index, share, error: USUAL_ERROR })
