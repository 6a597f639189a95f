import { type MarkDistribution, markDistribution, spreadOf } from './mark-distribution.ts'
import { type ScoredAnswer, shuffled, strataOf } from './strata.ts'

/** `person`: the share a person gave without seeing the grader's; absent where nobody has marked it so. */
export interface MarkableAnswer extends ScoredAnswer {
  person?: number
}

/** So that the interval for a mean is as wide as by Student's t (chosen on public answers, `docs/grading.md`). */
const WEIGHT_OF_A_MARK = 0.6
/** What the grader itself expects counts as about two marks of each stratum: few marks that agree do not prove that all do. */
const WEIGHT_OF_BELIEF = 1

/**
 * Marks for all answers of a class, as they may be given what a person gave for a sample of them: what was not marked is drawn by a Pólya
 * urn for each stratum (Ghosh & Meeden, 1997), which starts from its marks and what the grader expects of itself.
 * @param most of a larger class only so many are drawn
 */
export function drawnMarks<T extends MarkableAnswer>(
  answers: readonly T[],
  { random, most = Number.POSITIVE_INFINITY }: { random: () => number; most?: number },
): { next(): { answer: T; mark: number }[] } {
  const marks = answers.filter(({ person }) => person !== undefined).length
  const strata = mergedStrata(answers, marks).map((all) => toStratum(all, most / answers.length, random))
  const given = strata.flatMap(({ marks: own, weight }) => own.map((mark) => ({ mark, weight })))
  return {
    next() {
      const anew = given.map(() => given[Math.floor(random() * given.length)] ?? { mark: 0, weight: 1 })
      const distribution = markDistribution(anew)
      return strata.flatMap((stratum) => drawStratum(stratum, distribution, random))
    },
  }
}

function drawStratum<T extends MarkableAnswer>(
  { marks, marked, unmarked }: Stratum<T>,
  distribution: MarkDistribution,
  random: () => number,
): { answer: T; mark: number }[] {
  const ofMarks = WEIGHT_OF_A_MARK * marks.length
  const drawn: number[] = []
  for (const answer of unmarked) {
    const at = random() * (ofMarks + drawn.length + WEIGHT_OF_BELIEF)
    drawn.push(
      at < ofMarks
        ? (marks[Math.floor(at / WEIGHT_OF_A_MARK)] ?? 0)
        : at < ofMarks + drawn.length
          ? (drawn[Math.floor(at - ofMarks)] ?? 0)
          : distribution.draw(answer.share, spreadOf(answer), random),
    )
  }
  return [
    ...marked.map((answer) => ({ answer, mark: answer.person ?? 0 })),
    ...unmarked.map((answer, i) => ({ answer, mark: drawn[i] ?? 0 })),
  ]
}

interface Stratum<T> {
  marks: number[]
  /** What the marks stand for: how many answers each. */
  weight: number
  marked: T[]
  unmarked: T[]
}

/** After the grader has changed, or papers came or went, one may have no mark: it joins the one below, the first the one above. */
function mergedStrata<T extends MarkableAnswer>(answers: readonly T[], marks: number): T[][] {
  const merged: T[][] = []
  let waiting: T[] = []
  for (const stratum of strataOf(answers, marks)) {
    const all = [...waiting, ...stratum]
    if (all.some(({ person }) => person !== undefined)) {
      merged.push(all)
      waiting = []
    } else if (merged.length > 0) merged.at(-1)?.push(...all)
    else waiting = all
  }
  return merged
}

function toStratum<T extends MarkableAnswer>(all: readonly T[], share: number, random: () => number): Stratum<T> {
  const marked = all.filter(({ person }) => person !== undefined)
  const unmarked = all.filter(({ person }) => person === undefined)
  return {
    marks: marked.flatMap(({ person }) => person ?? []),
    weight: all.length / marked.length,
    marked,
    unmarked: share < 1 ? shuffled(unmarked, random).slice(0, Math.ceil(share * unmarked.length)) : unmarked,
  }
}
