import type { MarkableAnswer } from './markable-answer.ts'
import { PosteriorCovariance } from './posterior-covariance.ts'

/** To begin with. */
export const FIRST_TO_MARK = 3
/** After decisions. */
export const NEXT_TO_MARK = 2
/** The answers with most to gain by are weighed against each other; in a larger class the rest follows them. */
const MOST_WEIGHED = 300
/** Of decisions, each of which is taken in before the next answer is chosen: more of them hardly change which one that is. */
const MOST_DECIDED = 60

interface SelectionOptions {
  count?: number
  /** None is chosen whose expected error reduction in all others is less than that, as a share of their expected error. */
  leastReduction?: number
}

/**
 * Which answers to one question a teacher should mark next, the most useful first, by their places in `answers`; none that are decided.
 * Each is the one of the greatest expected error reduction: in its own error, and in that of the answers the decision carries over to by kriging
 * (A-optimal design, chosen greedily). `similarity` of two answers by their places, 0..1.
 */
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
      if (reduction - ownError(weighed[candidate]) < least) continue
      if (reduction > most + 1e-12) [best, most] = [candidate, reduction]
    }
    if (best < 0) break
    open.delete(best)
    posterior.decide(best)
    chosen.push(weighed[best]?.place ?? 0)
  }
  return chosen
}

/** Of one of those who wrote it: all the others learn from a decision on theirs. */
const ownError = (answer: Weighed | undefined) => answer?.error ?? 0

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

/** The expected error reduction in all open answers by a decision on one of them, in answers. */
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
