import { seededRandom } from '../../lib/seeded-random.ts'
import { drawnMarks, type MarkableAnswer } from './drawn-marks.ts'

/** A paper as its answers were scored. */
export interface PaperToReview {
  id: number
  /** A person has approved it: neither to be looked at nor counted; its marks tell of the others. */
  approved?: boolean
  /** The answers the grader scored; a person's decision on one leaves no error. */
  answers: (MarkableAnswer & { points: number; decided: boolean })[]
}

export interface ReviewBudget {
  /** The papers to look at, those most likely far off first. */
  toReview: number[]
  /** How many others have answers that no person has decided. */
  others: number
  /** The share of the others that is expected to be off by more than the limit, 0..1. */
  risk: number
}

const MOST_DRAWS = 400
const LEAST_DRAWS = 60
/** So that 80,000 answers take about two seconds. */
const MOST_MARKS = 5_000_000
/**
 * A sample may look better than its class by chance, and the classes where it does are those of which papers are left alone. So all
 * answers are shifted alike, with this standard deviation relative to how far off the grader expects to be (chosen on public answers,
 * `docs/grading.md`).
 */
const CLASS_SHIFT_SD = 0.5
/**
 * Where fewer than this share of the open papers could be left, none is: these few are those of the classes whose sample looks best by
 * chance, of which more were far off than was promised (`docs/grading.md`).
 */
const LEAST_LEFT = 0.25
/** The list is made as if so much of the asked probability were allowed: where the limit is tight, totals are off somewhat more often than drawn. */
const OF_PROBABILITY = 0.85
const SEED = 14

/**
 * The shortest list of papers to look at so that of the others at most the share `probability` is expected to have a total that is off by
 * more than `limit` points of 100. How far a total is off is drawn from the marks for a sample of the answers, as in `estimateAgreement`.
 * @throws {Error} where nothing is marked
 */
export function chooseReviewBudget(
  papers: readonly PaperToReview[],
  { limit, probability }: { limit: number; probability: number },
): ReviewBudget {
  const [budget] = chooseReviewBudgets(papers, { limits: [limit], probability })
  if (!budget) throw new Error('no limit')
  return budget
}

/** The same for each of several limits, in their order. */
export function chooseReviewBudgets(
  papers: readonly PaperToReview[],
  { limits, probability }: { limits: readonly number[]; probability: number },
): ReviewBudget[] {
  const answers = papers.flatMap(({ id, answers: own }) => own.map((answer) => ({ ...answer, paper: id })))
  if (!answers.some(({ person }) => person !== undefined)) throw new Error('no answer is marked')
  const random = seededRandom(SEED)
  const drawn = drawnMarks(answers, { random })
  const draws = Math.max(LEAST_DRAWS, Math.min(MOST_DRAWS, Math.floor(MOST_MARKS / answers.length)))
  const points = new Map(papers.map(({ id, answers: own }) => [id, own.reduce((sum, one) => sum + one.points, 0)]))
  // By one half of the draws papers are ranked, by the other it is told how many of those left are far off: by the same ones, the luckiest
  // would be left.
  const byLimit = limits.map((limit) => ({
    limit,
    ranking: new Map<number, number>(),
    telling: new Map<number, number>(),
  }))
  for (let i = 0; i < draws; i++) {
    const off = new Map<number, number>()
    const shift = CLASS_SHIFT_SD * normal(random)
    for (const { answer, ofQuestion } of drawn.next()) {
      if (answer.decided) continue
      const error = answer.share - ofQuestion + (answer.person === undefined ? shift * answer.expectedError : 0)
      off.set(answer.paper, (off.get(answer.paper) ?? 0) + answer.points * error)
    }
    for (const { limit, ranking, telling } of byLimit) {
      const far = i % 2 === 0 ? ranking : telling
      for (const [id, error] of off)
        if (Math.abs(error) * 100 > limit * (points.get(id) ?? 0)) far.set(id, (far.get(id) ?? 0) + 1)
    }
  }
  const half = Math.ceil(draws / 2)
  const open = papers.filter(isOpen)
  return byLimit.map(({ ranking, telling }) =>
    shortestList(
      open.map(({ id }) => ({ id, rank: ranking.get(id) ?? 0, risk: (telling.get(id) ?? 0) / half })),
      probability,
    ),
  )
}

function shortestList(papers: { id: number; rank: number; risk: number }[], probability: number): ReviewBudget {
  const byRisk = papers.toSorted((a, b) => b.rank - a.rank || b.risk - a.risk || a.id - b.id)
  let left = byRisk.reduce((sum, { risk }) => sum + risk, 0)
  let count = 0
  for (const { risk } of byRisk) {
    if (left <= OF_PROBABILITY * probability * (byRisk.length - count)) break
    left -= risk
    count++
  }
  if (byRisk.length - count < LEAST_LEFT * byRisk.length) count = byRisk.length
  const others = byRisk.length - count
  return {
    toReview: byRisk.slice(0, count).map(({ id }) => id),
    others,
    risk: others > 0 ? Math.max(0, left) / others : 0,
  }
}

/** What a person has approved, or decided answer by answer, is neither to be looked at nor among the others. */
const isOpen = ({ approved, answers }: PaperToReview): boolean => !approved && answers.some(({ decided }) => !decided)

/** Box and Muller. */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
