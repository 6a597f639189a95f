import { type MarkDistribution, markDistribution, spreadOf } from './mark-distribution.ts'
import { questionMarks } from './question-effects.ts'
import { type ScoredAnswer, shuffled, strataOf } from './strata.ts'

/** `person`: the share a person gave without seeing the grader's; absent where nobody has marked it so. */
export interface MarkableAnswer extends ScoredAnswer {
  questionId: string
  person?: number
}

/** A mark as it may be given: where a person has marked the answer, that. */
export interface DrawnMark<T> {
  answer: T
  /** For what is said of the class's answers as a whole. */
  mark: number
  /** For what is said of answers of one question, or of papers: with what its question's answers have in common. */
  ofQuestion: number
  /** How many answers it stands for: more than one where only some of a large class are drawn. */
  weight: number
}

/** Of a question as many are drawn, however large the class. */
const LEAST_OF_A_QUESTION = 200

/** So that the interval for a mean is as wide as by Student's t (chosen on public answers, `docs/grading.md`). */
const WEIGHT_OF_A_MARK = 0.6
/** What the grader itself expects counts as about two marks of each stratum: few marks that agree do not prove that all do. */
const WEIGHT_OF_BELIEF = 1

/**
 * Marks for all answers of a class, as they may be given what a person gave for a sample of them: what was not marked is drawn by a Pólya
 * urn for each stratum (Ghosh & Meeden, 1997), which starts from its marks and what the grader expects of itself; for one question, with
 * its random effects.
 * @param most of a larger class only about so many are drawn, and of each question at least 200
 */
export function drawnMarks<T extends MarkableAnswer>(
  answers: readonly T[],
  { random, most = Number.POSITIVE_INFINITY }: { random: () => number; most?: number },
): { next(): DrawnMark<T>[] } {
  const count = answers.filter(({ person }) => person !== undefined).length
  const { drawnFrom, weights } = thinned(answers, most / answers.length, random)
  const strata = mergedStrata(drawnFrom, count).map(toStratum)
  const given = strata.flatMap(({ marks: own, weight }) => own.map((mark) => ({ mark, weight })))
  const marks = [...new Set([0, 1, ...given.map(({ mark }) => mark)])]
  const indexOf = new Map(marks.map((mark, i) => [mark, i]))
  const questions = [...Map.groupBy(placedIn(strata), ({ answer }) => answer.questionId).values()].map((own) => ({
    answers: own,
    marks: questionMarks(
      marks,
      own.flatMap(({ answer: { person, share }, stratum }) =>
        person === undefined ? [] : [{ stratum, share, mark: indexOf.get(person) ?? 0 }],
      ),
    ),
  }))
  return {
    next() {
      const anew = given.map(() => given[Math.floor(random() * given.length)] ?? { mark: 0, weight: 1 })
      const distribution = markDistribution(anew)
      const drawn = strata.map((stratum) => drawStratum(stratum, distribution, random))
      const counts = drawn.map((own, i) => countsOf([...own, ...(strata[i]?.marks ?? [])], indexOf))
      return questions.flatMap(({ answers: own, marks: ofQuestion }) => {
        const drawMark = ofQuestion.drawEffects(counts, random)
        return own.map(({ answer, stratum, at }) =>
          answer.person === undefined
            ? {
                answer,
                mark: drawn[stratum]?.[at] ?? 0,
                ofQuestion: drawMark(stratum, answer.share),
                weight: weights.get(answer.questionId) ?? 1,
              }
            : { answer, mark: answer.person, ofQuestion: answer.person, weight: 1 },
        )
      })
    },
  }
}

/** All that is marked, and of the rest a share, but of no question too few; `weights`: how many each of these stands for, by question. */
function thinned<T extends MarkableAnswer>(answers: readonly T[], share: number, random: () => number) {
  if (share >= 1) return { drawnFrom: answers, weights: new Map<string, number>() }
  const weights = new Map<string, number>()
  const drawnFrom = [...Map.groupBy(answers, ({ questionId }) => questionId)].flatMap(([id, own]) => {
    const unmarked = own.filter(({ person }) => person === undefined)
    const drawn = shuffled(unmarked, random).slice(0, Math.max(LEAST_OF_A_QUESTION, Math.ceil(share * unmarked.length)))
    weights.set(id, unmarked.length / Math.max(1, drawn.length))
    return [...own.filter(({ person }) => person !== undefined), ...drawn]
  })
  return { drawnFrom, weights }
}

/** `at`: which of the stratum's unmarked, or marked, answers it is. */
const placedIn = <T>(strata: readonly Stratum<T>[]): { answer: T; stratum: number; at: number }[] =>
  strata.flatMap(({ marked, unmarked }, stratum) =>
    [marked, unmarked].flatMap((own) => own.map((answer, at) => ({ answer, stratum, at }))),
  )

/** In the order of what is not marked. */
function drawStratum<T extends MarkableAnswer>(
  { marks, unmarked }: Stratum<T>,
  distribution: MarkDistribution,
  random: () => number,
): number[] {
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
  return drawn
}

function countsOf(given: readonly number[], indexOf: ReadonlyMap<number, number>): number[] {
  const counts = Array.from({ length: indexOf.size }, () => 0)
  for (const mark of given) {
    const at = indexOf.get(mark) ?? 0
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
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

function toStratum<T extends MarkableAnswer>(all: readonly T[]): Stratum<T> {
  const marked = all.filter(({ person }) => person !== undefined)
  return {
    marks: marked.flatMap(({ person }) => person ?? []),
    weight: all.length / marked.length,
    marked,
    unmarked: all.filter(({ person }) => person === undefined),
  }
}
