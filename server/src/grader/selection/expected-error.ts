import { EXPLAINED_IN_FACT } from '../scoring/teacher-calibration.ts'
import type { MarkableAnswer } from './markable-answer.ts'
import { PosteriorCovariance } from './posterior-covariance.ts'

/** As many as are looked at where the class is larger. */
const MOST_LOOKED_AT = 1000

/**
 * The mean error that is expected of the answers the teacher has not marked, as a share of the points, once those at the places `further`
 * are marked too; 0 where none are left. `similarity` of two answers by their places, 0..1.
 */
export function expectedErrorAfter(
  answers: readonly MarkableAnswer[],
  similarity: (a: number, b: number) => number,
  further: readonly number[] = [],
): number {
  const looked =
    answers.length > MOST_LOOKED_AT && further.length > 0 ? sampled(answers, further) : answers.map((_, i) => i)
  const own = looked.flatMap((place) => answers[place] ?? [])
  const left = further.length > 0 ? shrinkage(own, looked, similarity, further) : () => 1
  let [sum, students] = [0, 0]
  for (const [i, { decided, error, count }] of own.entries()) {
    if (decided || further.includes(looked[i] ?? -1)) continue
    sum += count * error * left(i)
    students += count
  }
  return students > 0 ? sum / students : 0
}

/** What is left of each answer's doubt. */
function shrinkage(
  own: readonly MarkableAnswer[],
  looked: readonly number[],
  similarity: (a: number, b: number) => number,
  further: readonly number[],
): (i: number) => number {
  const posterior = new PosteriorCovariance(own, (a, b) => similarity(looked[a] ?? 0, looked[b] ?? 0))
  for (const [i, answer] of own.entries()) if (answer.decided && answer.comparable) posterior.decide(i)
  const before = own.map((_, i) => posterior.variance(i))
  for (const place of further) if (answersIs(own[looked.indexOf(place)])) posterior.decide(looked.indexOf(place))
  return (i) => Math.sqrt(1 - EXPLAINED_IN_FACT * Math.max(0, 1 - posterior.variance(i) / (before[i] || 1)))
}

const answersIs = (answer: MarkableAnswer | undefined): boolean => answer?.comparable === true && !answer.decided

/** Those decided or about to be, and others at even steps. */
function sampled(answers: readonly MarkableAnswer[], further: readonly number[]): number[] {
  const needed = answers
    .flatMap(({ decided }, i) => (decided || further.includes(i) ? [i] : []))
    .slice(0, MOST_LOOKED_AT)
  const step = answers.length / MOST_LOOKED_AT
  const even = Array.from({ length: MOST_LOOKED_AT }, (_, i) => Math.floor(i * step))
  return [...new Set([...needed, ...even])].sort((a, b) => a - b)
}
