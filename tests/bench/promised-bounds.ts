import { type AgreementMetrics, measurePairs } from '../../server/src/grader/agreement/agreement-metrics.ts'
import {
  type AgreementEstimates,
  type AnswerToCompare,
  estimateAgreement,
} from '../../server/src/grader/agreement/estimate-agreement.ts'
import { chooseReviewBudgets } from '../../server/src/grader/agreement/review-budget.ts'
import { chooseSample, shuffled } from '../../server/src/grader/agreement/strata.ts'
import { evaluateRows } from '../../server/src/grader/offline/evaluate-rows.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import type { ScoredSet } from './scored-rows.ts'

const LEVEL = 0.25

interface Coverage {
  /** The share of the classes whose true value was within the bounds, below and above them. */
  held: number
  below: number
  above: number
  /** The mean distance of the bounds. */
  width: number
}

type Coverages = Record<keyof AgreementMetrics, Coverage>

/** How often the bounds held for all questions of a class, and for each question of which enough answers were marked. */
export interface BoundsHeld {
  all: Coverages
  questions: Coverages
}

export interface ClassSize {
  questions: number
  papers: number
  marks: number
}

/** Classes drawn from a set: bounds from a sample of answers, against what all human scores of the class, and of each question, say. */
export function coverageOf(
  set: ScoredSet,
  { classes, seed, size }: { classes: number; seed: number; size: ClassSize },
): BoundsHeld {
  const random = seededRandom(seed)
  const answers = scoredAnswers(set)
  const questions = [...Map.groupBy(answers, ({ questionId }) => questionId).values()]
  const [all, single] = [new BoundsCounter(), new BoundsCounter()]
  for (let i = 0; i < classes; i++) {
    const written = shuffled(questions, random)
      .slice(0, size.questions)
      .flatMap((own) => shuffled(own, random).slice(0, size.papers))
    const sample = new Set(chooseSample(written, size.marks, random))
    const bounds = estimateAgreement(
      written.map((answer) => {
        const { truth, ...unmarked } = answer
        return sample.has(answer) ? { ...unmarked, person: truth } : unmarked
      }),
    )
    all.add(bounds.all, written)
    const byQuestion = Map.groupBy(written, ({ questionId }) => questionId)
    for (const [id, { estimates }] of bounds.questions) single.add(estimates, byQuestion.get(id) ?? [])
  }
  return { all: all.coverages(), questions: single.coverages() }
}

class BoundsCounter {
  private readonly found = new Map<
    keyof AgreementMetrics,
    { below: number; above: number; width: number; of: number }
  >()

  add(bounds: AgreementEstimates, answers: readonly KnownAnswer[]) {
    const truth = measurePairs(answers.map(({ share, truth: person }) => ({ grader: share, person, level: LEVEL })))
    for (const metric of ['kappa', 'withinOneLevel', 'meanAbsoluteError', 'bias'] as const) {
      const [bound, value] = [bounds[metric], truth[metric]]
      if (!bound || value === null) continue
      const { below, above, width, of } = this.found.get(metric) ?? { below: 0, above: 0, width: 0, of: 0 }
      this.found.set(metric, {
        below: below + (value < bound.low - 1e-9 ? 1 : 0),
        above: above + (value > bound.high + 1e-9 ? 1 : 0),
        width: width + bound.high - bound.low,
        of: of + 1,
      })
    }
  }

  coverages(): Coverages {
    const of = (metric: keyof AgreementMetrics): Coverage => {
      const { below, above, width, of: all } = this.found.get(metric) ?? { below: 0, above: 0, width: 0, of: 0 }
      const count = Math.max(1, all)
      return { held: 1 - (below + above) / count, below: below / count, above: above / count, width: width / count }
    }
    return {
      kappa: of('kappa'),
      withinOneLevel: of('withinOneLevel'),
      meanAbsoluteError: of('meanAbsoluteError'),
      bias: of('bias'),
    }
  }
}

type KnownAnswer = Omit<AnswerToCompare, 'person'> & { truth: number }

/** As the grader scores the set alone. */
export function scoredAnswers({ rows }: ScoredSet): KnownAnswer[] {
  const judged = evaluateRows(rows)
  return rows.map((row, i) => ({
    questionId: row.question_id,
    share: judged[i]?.score ?? 0,
    expectedError: 1 - (judged[i]?.confidence ?? 0),
    level: LEVEL,
    truth: row.share,
  }))
}

/** What a review budget at one limit and risk promises of the papers it leaves out, and what is true of them. */
export interface BudgetKept {
  limit: number
  /** As a share, 0..1. */
  probability: number
  /** The share of the papers that nobody needs to look at, and how many. */
  spared: number
  count: number
  /** The share of those that is off by more than the limit, as expected and as found. */
  promised: number
  found: number
  /** The standard error of `found`, with classes as the units that were drawn. */
  within: number
}

const [QUESTIONS_OF_A_PAPER, PAPERS, MARKS] = [8, 20, 20]

/** Papers of classes drawn from a set, for each limit and probability. */
export function budgetsOf(
  set: ScoredSet,
  {
    classes,
    seed,
    limits,
    probabilities,
  }: { classes: number; seed: number; limits: readonly number[]; probabilities: readonly number[] },
): BudgetKept[] {
  const random = seededRandom(seed)
  const questions = [...Map.groupBy(scoredAnswers(set), ({ questionId }) => questionId).values()]
  const kept = probabilities.flatMap((probability) => limits.map((limit) => new PromiseCounter(limit, probability)))
  for (let i = 0; i < classes; i++) {
    const asked = shuffled(questions, random)
      .slice(0, QUESTIONS_OF_A_PAPER)
      .map((own) => shuffled(own, random).slice(0, PAPERS))
    const size = Math.min(...asked.map(({ length }) => length))
    const written = Array.from({ length: size }, (_, paper) => asked.flatMap((own) => own[paper] ?? []))
    const sample = new Set(chooseSample(written.flat(), MARKS, random))
    const papers = written.map((own, id) => ({
      id,
      answers: own.map((one) => {
        const { truth, ...answer } = one
        return { ...answer, points: 1, decided: false, ...(sample.has(one) ? { person: truth } : {}) }
      }),
    }))
    for (const probability of probabilities) {
      const budgets = chooseReviewBudgets(papers, { limits, probability })
      for (const [at, budget] of budgets.entries())
        kept
          .find((one) => one.limit === limits[at] && one.probability === probability)
          ?.add(written, new Set(budget.toReview), budget.risk)
    }
  }
  return kept.map((one) => one.figures())
}

class PromiseCounter {
  private papers = 0
  private readonly classes: { left: number; far: number; promised: number }[] = []
  readonly limit: number
  readonly probability: number

  constructor(limit: number, probability: number) {
    this.limit = limit
    this.probability = probability
  }

  add(written: readonly KnownAnswer[][], looked: ReadonlySet<number>, risk: number) {
    const others = written.filter((_, id) => !looked.has(id))
    const errorOf = (own: KnownAnswer[]) => Math.abs(own.reduce((sum, { share, truth }) => sum + share - truth, 0))
    const far = others.filter((own) => 100 * errorOf(own) > this.limit * own.length + 1e-6).length
    this.papers += written.length
    this.classes.push({ left: others.length, far, promised: risk * others.length })
  }

  figures(): BudgetKept {
    const sum = (of: (one: { left: number; far: number; promised: number }) => number) =>
      this.classes.reduce((total, one) => total + of(one), 0)
    const count = sum(({ left }) => left)
    const found = sum(({ far }) => far) / Math.max(1, count)
    const squares = sum(({ left, far }) => (far - found * left) ** 2)
    return {
      limit: this.limit,
      probability: this.probability,
      spared: count / Math.max(1, this.papers),
      count,
      promised: sum(({ promised }) => promised) / Math.max(1, count),
      found,
      within: Math.sqrt(squares) / Math.max(1, count),
    }
  }
}
