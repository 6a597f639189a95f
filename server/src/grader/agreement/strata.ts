/** An answer as the grader scored it; `share` of its points, 0..1. */
export interface ScoredAnswer {
  share: number
  /** How far off the grader expects to be, as a share of the points: 1 − confidence. */
  expectedError: number
}

/** Fewer than four marks a stratum say too little of how they differ. */
const MARKS_PER_STRATUM = 4
/** What the grader is sure of is looked at as well, only less often. */
const LEAST_EXPECTED_ERROR = 0.02

/**
 * Divides the answers by what the grader gave them, from least to most, so that what it is unsure of is in smaller strata: of each stratum
 * as many are marked, so an unsure answer is marked more often than a sure one (`docs/grading.md`).
 */
export function strataOf<T extends ScoredAnswer>(answers: readonly T[], sampleSize: number): T[][] {
  const count = Math.max(1, Math.min(Math.floor(sampleSize / MARKS_PER_STRATUM), Math.floor(answers.length / 2)))
  const sorted = answers.toSorted((a, b) => a.share - b.share)
  const doubtOf = ({ expectedError }: T) => Math.sqrt(Math.max(LEAST_EXPECTED_ERROR, expectedError))
  const total = sorted.reduce((sum, answer) => sum + doubtOf(answer), 0)
  const strata: T[][] = Array.from({ length: count }, () => [])
  let before = 0
  for (const answer of sorted) {
    strata[Math.min(count - 1, Math.floor((before / total) * count))]?.push(answer)
    before += doubtOf(answer)
  }
  return strata.filter((stratum) => stratum.length > 0)
}

/**
 * The answers that a person is to mark without seeing the grader's scores: of each stratum as many, drawn at random, and further ones of
 * the larger strata where a small one has too few. All of them where there are no more than `size`.
 */
export function chooseSample<T extends ScoredAnswer>(answers: readonly T[], size: number, random: () => number): T[] {
  if (answers.length <= size) return [...answers]
  const strata = strataOf(answers, size).map((stratum) => shuffled(stratum, random))
  const chosen: T[] = []
  for (let round = 0; chosen.length < size; round++)
    for (const stratum of strata) {
      const next = stratum[round]
      if (next && chosen.length < size) chosen.push(next)
    }
  return chosen
}

/** Fisher and Yates. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[out[i], out[j]] = [out[j] as T, out[i] as T]
  }
  return out
}
