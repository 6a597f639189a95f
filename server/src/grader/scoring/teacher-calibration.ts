/** As shares of the points. */
export interface TeacherDecision {
  index: number
  share: number
  predicted: number
  error: number
}

interface UncalibratedScore {
  index: number
  share: number
  /** Expected, as a share of the points. */
  error: number
}

/** Variance of teacher's scores from the grader's: by question, and with the score. */
const BY_QUESTION = 0.5
const WITH_SCORE = 1.2
const BY_SIMILARITY = 0.7
const NOISE_VARIANCE = 0.8
/** A single point tells this much less of the others' answers. */
const NOISE_OF_POINTS = 4
/** Share of the explained variance really gone from the errors (`docs/lab/grading.md`). */
const EXPLAINED_IN_FACT = 0.7
export const USUAL_ERROR = 0.35 // surer answers are moved less by decisions on others
const MAX_DECISIONS = 60

/** Kriging (Gaussian processes, Rasmussen & Williams 2006, ch. 2) of residuals, by question, score and similarity. */
export class TeacherCalibration {
  readonly #decisions: TeacherDecision[]
  readonly #likeness: (a: number, b: number) => number
  readonly #factor: Float64Array[]
  readonly #weights: Float64Array

  /** `likeness` is 0..1; `ofSeveral`: one of several criteria. */
  constructor(decisions: TeacherDecision[], likeness: (a: number, b: number) => number, ofSeveral = false) {
    this.#decisions = decisions.slice(0, MAX_DECISIONS)
    this.#likeness = likeness
    const plain = this.#decisions.map(asPredicted)
    const alone = ofSeveral ? NOISE_OF_POINTS : 1
    this.#factor = cholesky(
      plain.map((a, i) =>
        Float64Array.from(plain, (b, j) => this.#covariance(a, b) + (i === j ? alone * noiseVariance(a) : 0)),
      ),
    )
    const residuals = Float64Array.from(this.#decisions, (one) => one.share - one.predicted)
    this.#weights = solve(this.#factor, residuals)
  }

  /** `doubt` is the uncertainty left, 0..1. */
  calibrate(answer: UncalibratedScore): { share: number; doubt: number } {
    const shared = Float64Array.from(this.#decisions, (one) => this.#covariance(answer, asPredicted(one)))
    const shift = shared.reduce((sum, value, i) => sum + value * (this.#weights[i] ?? 0), 0)
    const before = this.#covariance(answer, answer)
    const explained = solve(this.#factor, shared).reduce((sum, value, i) => sum + value * (shared[i] ?? 0), 0)
    return {
      share: Math.min(1, Math.max(0, answer.share + shift)),
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

const noiseVariance = (answer: UncalibratedScore): number => NOISE_VARIANCE * amplitude(answer)

/** `likeness` is 0..1. */
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
