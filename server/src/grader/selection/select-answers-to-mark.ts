import { residualCovariance, USUAL_ERROR } from '../scoring/teacher-calibration.ts'
import { termsOf, wordsOf } from '../text/terms.ts'
import { characterNgrams, dotProduct, tfIdfVectorOf } from '../text/text-vector.ts'

export interface MarkableAnswer {
  /** The grader's, 0..1, before any decision of the teacher's. */
  share: number
  /** Expected error as a share of the points; 1 without a score. */
  error: number
  /** Students who wrote it. */
  count: number
  /** Judged by degrees, so that decisions carry over. */
  comparable: boolean
  decided: boolean
}

const FIRST_TO_MARK = 3
export const NEXT_TO_MARK = 2
/** The rest of a large class follows those with most to gain. */
const MOST_WEIGHED = 300
/** Of a single decision. Calibrated by decisions it is less, but answers then tell less (`docs/grading.md`). */
const NOISE_VARIANCE = 1
/** Further decisions hardly change the choice. */
const MOST_DECIDED = 60

interface SelectionOptions {
  count?: number
  /** As a share of the others' expected error. */
  leastReduction?: number
}

/** Indexes by greatest expected error reduction, also in others by kriging (A-optimal). `similarity` is 0..1. */
export function selectAnswersToMark(
  answers: readonly MarkableAnswer[],
  similarity: (a: number, b: number) => number,
  { count = FIRST_TO_MARK, leastReduction = 0 }: SelectionOptions = {},
): number[] {
  const { weighed, posterior } = weigh(answers, similarity)
  const open = new Set(weighed.flatMap(({ decided }, i) => (decided ? [] : [i])))
  const chosen: number[] = []
  const least = leastReduction * weighed.reduce((sum, one) => sum + (one.decided ? 0 : one.count * one.error), 0)
  while (chosen.length < count && open.size > 0) {
    let best = -1
    let most = Number.NEGATIVE_INFINITY
    for (const candidate of open) {
      const reduction = errorReduction(candidate, weighed, open, posterior)
      if (reduction - (weighed[candidate]?.error ?? 0) < least) continue
      if (reduction > most + 1e-12) [best, most] = [candidate, reduction]
    }
    if (best < 0) break
    open.delete(best)
    posterior.decide(best)
    chosen.push(weighed[best]?.place ?? 0)
  }
  return chosen
}

type Weighed = MarkableAnswer & { place: number }

function weigh(answers: readonly MarkableAnswer[], similarity: (a: number, b: number) => number) {
  const all = answers.map((answer, place) => ({ ...answer, place }))
  const decided = all.filter((answer) => answer.decided)
  const open = all
    .filter((answer) => !answer.decided)
    .sort((a, b) => b.count * b.error - a.count * a.error || a.place - b.place)
  const weighed: Weighed[] = [...decided.slice(0, MOST_DECIDED), ...open.slice(0, MOST_WEIGHED)]
  const posterior = new PosteriorCovariance(weighed, (a, b) =>
    similarity(weighed[a]?.place ?? 0, weighed[b]?.place ?? 0),
  )
  for (const [i, answer] of weighed.entries()) if (answer.decided && answer.comparable) posterior.decide(i)
  return { weighed, posterior }
}

/** In all open answers, in answers. */
function errorReduction(
  candidate: number,
  weighed: readonly Weighed[],
  open: ReadonlySet<number>,
  posterior: PosteriorCovariance,
): number {
  let reduction = 0
  for (const i of open) {
    const answer = weighed[i]
    if (!answer) continue
    const left =
      i === candidate ? 0 : Math.sqrt(Math.max(0, posterior.varianceAfter(i, candidate)) / posterior.variance(i))
    reduction += answer.count * answer.error * (1 - left)
  }
  return reduction
}

/** Covariance of errors, conditioned on decisions one by one. */
class PosteriorCovariance {
  readonly #rows: Float64Array[]

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

  varianceAfter(i: number, decided: number): number {
    const shared = this.#rows[decided]?.[i] ?? 0
    return this.variance(i) - shared ** 2 / (this.variance(decided) + NOISE_VARIANCE)
  }

  /** Conditioning of a normal distribution (Rasmussen & Williams 2006, A.2). */
  decide(decided: number): void {
    const own = Float64Array.from(this.#rows[decided] ?? [])
    const total = (own[decided] ?? 0) + NOISE_VARIANCE
    for (const [i, row] of this.#rows.entries()) {
      const factor = (own[i] ?? 0) / total
      if (factor !== 0) for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (own[j] ?? 0)
    }
  }
}

const asDoubtfulAsMost = (index: number, { share }: MarkableAnswer) => ({ index, share, error: USUAL_ERROR })

/** Of unmarked answers, as a share of the points; 0 where none are left. */
export function meanExpectedError(answers: readonly MarkableAnswer[]): number {
  let [sum, students] = [0, 0]
  for (const { decided, error, count } of answers) {
    if (decided) continue
    sum += count * error
    students += count
  }
  return students > 0 ? sum / students : 0
}

/** 0..1, by words and spelling. */
export function textSimilarity(texts: readonly string[]): (a: number, b: number) => number {
  const even = () => 1
  const toVectors = (text: string) => ({
    words: tfIdfVectorOf(termsOf(text), even),
    ngrams: tfIdfVectorOf(characterNgrams(wordsOf(text)), even),
  })
  const known = new Map<number, ReturnType<typeof toVectors>>()
  const vectorsOf = (place: number) => {
    const vectors = known.get(place) ?? toVectors(texts[place] ?? '')
    known.set(place, vectors)
    return vectors
  }
  return (a, b) => {
    const [one, other] = [vectorsOf(a), vectorsOf(b)]
    return (dotProduct(one.words, other.words) + dotProduct(one.ngrams, other.ngrams)) / 2
  }
}
