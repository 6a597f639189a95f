/** A decision of the teacher's on one answer, as a share of the points, beside what the grader would have given. */
export interface TeacherDecision {
  index: number
  share: number
  predicted: number
  /** How far off the prediction was expected to be, as a share of the points. */
  error: number
}

/** What is known of an answer before it is measured by the teacher's scale. */
export interface UncalibratedScore {
  index: number
  share: number
  /** How far off it is expected to be, as a share of the points. */
  error: number
}

/** How much a teacher's scores vary from the grader's: by question, with the score, and from answer to answer. */
const BY_QUESTION = 0.5
const WITH_SCORE = 1
const BY_SIMILARITY = 1
/** The part of a decision that no other answer explains. It makes the offset of k decisions Σ residuals / (k + 2). */
export const NOISE_VARIANCE = 1
/** One point of several is there or is not: a decision on it says so much less of the others' answers. */
const NOISE_OF_POINTS = 4
/** Of the variance that decisions explain by this model, so much is gone from the errors found (`docs/grading.md`). */
const EXPLAINED_IN_FACT = 0.7
/** What these are for: an answer as doubtful as most. The surer one is, the less it is moved by decisions on others. */
export const USUAL_ERROR = 0.35
/** Eight decisions' worth of belief that the teacher is no stricter and no milder than the curve. */
const PRIOR_DECISIONS = 8
/** More would make a big class slow, and teach little. */
const MAX_DECISIONS = 60

/** How much milder (or stricter) a teacher is than the grader over a whole paper; residuals are shares of the points. */
export function leniencyOf(residuals: readonly number[]): number {
  return residuals.reduce((sum, one) => sum + one, 0) / (residuals.length + PRIOR_DECISIONS)
}

/**
 * A teacher's scale for one criterion, learnt from decisions on some answers: kriging (Gaussian process regression,
 * Rasmussen & Williams 2006, ch. 2) of the residuals, with a covariance that says how residuals hang together: the same for
 * the whole question, tilting with the score, and growing with the similarity of two answers.
 */
export class TeacherCalibration {
  readonly #decisions: TeacherDecision[]
  readonly #likeness: (a: number, b: number) => number
  readonly #leaning: number
  readonly #factor: Float64Array[]
  readonly #weights: Float64Array

  /** `likeness` of two answers, 0..1; `ofSeveral`: the criterion is one of several of its question. */
  constructor(
    decisions: TeacherDecision[],
    likeness: (a: number, b: number) => number,
    leaning: number,
    ofSeveral = false,
  ) {
    this.#decisions = decisions.slice(0, MAX_DECISIONS)
    this.#likeness = likeness
    this.#leaning = leaning
    const plain = this.#decisions.map(asPredicted)
    const alone = ofSeveral ? NOISE_OF_POINTS : 1
    this.#factor = cholesky(
      plain.map((a, i) =>
        Float64Array.from(plain, (b, j) => this.#covariance(a, b) + (i === j ? alone * noiseVariance(a) : 0)),
      ),
    )
    this.#weights = solve(
      this.#factor,
      Float64Array.from(this.#decisions, (one) => one.share - one.predicted - leaning * amplitude(one)),
    )
  }

  /** The share the teacher would give, and how much of the uncertainty is left, 0..1. */
  calibrate(answer: UncalibratedScore): { share: number; doubt: number } {
    const shared = Float64Array.from(this.#decisions, (one) => this.#covariance(answer, asPredicted(one)))
    const shift = shared.reduce((sum, value, i) => sum + value * (this.#weights[i] ?? 0), 0)
    const before = this.#covariance(answer, answer)
    const explained = solve(this.#factor, shared).reduce((sum, value, i) => sum + value * (shared[i] ?? 0), 0)
    return {
      share: Math.min(1, Math.max(0, answer.share + this.#leaning * amplitude(answer) + shift)),
      doubt: Math.sqrt(Math.min(1, Math.max(0.1, 1 - (EXPLAINED_IN_FACT * explained) / before))),
    }
  }

  #covariance(a: UncalibratedScore, b: UncalibratedScore): number {
    return residualCovariance(a, b, this.#likeness)
  }
}

const asPredicted = ({ index, predicted, error }: TeacherDecision): UncalibratedScore => ({
  index,
  share: predicted,
  error,
})

const amplitude = ({ error }: { error: number }): number => error / USUAL_ERROR

/** Of what a decision says of its own answer alone. */
const noiseVariance = (answer: UncalibratedScore): number => NOISE_VARIANCE * amplitude(answer)

/** How far the grader's errors on two answers hang together; `likeness` of two answers, 0..1. */
export function residualCovariance(
  a: UncalibratedScore,
  b: UncalibratedScore,
  likeness: (a: number, b: number) => number,
): number {
  const like = a.index === b.index ? 1 : likeness(a.index, b.index)
  const usual = BY_QUESTION + WITH_SCORE * (a.share - 0.5) * (b.share - 0.5) + BY_SIMILARITY * like
  return usual * amplitude(a) * amplitude(b)
}

/** Lower triangular L with L·Lᵀ = the matrix (n × n, symmetric, positive definite). */
export function cholesky(matrix: Float64Array[]): Float64Array[] {
  const lower = matrix.map((row) => new Float64Array(row.length))
  for (const [i, row] of matrix.entries()) {
    const own = lower[i] ?? new Float64Array()
    for (let j = 0; j <= i; j++) {
      const other = lower[j] ?? own
      let sum = row[j] ?? 0
      for (let k = 0; k < j; k++) sum -= (own[k] ?? 0) * (other[k] ?? 0)
      own[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (other[j] ?? 1)
    }
  }
  return lower
}

/** x with L·Lᵀ·x = right (length n). */
export function solve(lower: Float64Array[], right: Float64Array): Float64Array {
  const x = Float64Array.from(right)
  for (const [i, row] of lower.entries()) {
    for (let k = 0; k < i; k++) x[i] = (x[i] ?? 0) - (row[k] ?? 0) * (x[k] ?? 0)
    x[i] = (x[i] ?? 0) / (row[i] ?? 1)
  }
  for (let i = lower.length - 1; i >= 0; i--) {
    for (let k = i + 1; k < lower.length; k++) x[i] = (x[i] ?? 0) - (lower[k]?.[i] ?? 0) * (x[k] ?? 0)
    x[i] = (x[i] ?? 0) / (lower[i]?.[i] ?? 1)
  }
  return x
}
