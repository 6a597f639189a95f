import { type AgreementMetrics, measurePairs } from '../../server/src/grader/agreement/agreement-metrics.ts'
import { type AnswerToCompare, estimateAgreement } from '../../server/src/grader/agreement/estimate-agreement.ts'
import { chooseReviewBudget } from '../../server/src/grader/agreement/review-budget.ts'
import { chooseSample, shuffled } from '../../server/src/grader/agreement/strata.ts'
import { evaluateRows } from '../../server/src/grader/offline/evaluate-rows.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import type { ScoredSet } from './scored-rows.ts'

const QUESTIONS = 6
const PAPERS = 20
const LEVEL = 0.25

interface Coverage {
  /** The share of the classes whose true value was within the bounds. */
  held: number
  /** The mean distance of the bounds. */
  width: number
}

/** Classes drawn from a set: bounds from a sample of answers, against what all of the class's human scores say. */
export function coverageOf(set: ScoredSet, classes: number, sampleSize = 20): Record<keyof AgreementMetrics, Coverage> {
  const random = seededRandom(12)
  const answers = scoredAnswers(set)
  const questions = [...Map.groupBy(answers, ({ questionId }) => questionId).values()]
  const found: Record<keyof AgreementMetrics, { held: number; width: number; of: number }> = {
    kappa: { held: 0, width: 0, of: 0 },
    withinOneLevel: { held: 0, width: 0, of: 0 },
    meanAbsoluteError: { held: 0, width: 0, of: 0 },
    bias: { held: 0, width: 0, of: 0 },
  }
  for (let i = 0; i < classes; i++) {
    const all = shuffled(questions, random)
      .slice(0, QUESTIONS)
      .flatMap((own) => shuffled(own, random).slice(0, PAPERS))
    const sample = new Set(chooseSample(all, sampleSize, random))
    const { all: bounds } = estimateAgreement(
      all.map(({ truth, ...answer }, at) =>
        sample.has(all[at] as KnownAnswer) ? { ...answer, person: truth } : answer,
      ),
    )
    const truth = measurePairs(all.map(({ share, truth: person }) => ({ grader: share, person, level: LEVEL })))
    for (const metric of Object.keys(found) as (keyof AgreementMetrics)[]) {
      const [bound, value, sum] = [bounds[metric], truth[metric], found[metric]]
      if (!bound || value === null) continue
      sum.of++
      sum.width += bound.high - bound.low
      if (value >= bound.low - 1e-9 && value <= bound.high + 1e-9) sum.held++
    }
  }
  const coverage = ({ held, width, of }: { held: number; width: number; of: number }) => ({
    held: held / Math.max(1, of),
    width: width / Math.max(1, of),
  })
  return {
    kappa: coverage(found.kappa),
    withinOneLevel: coverage(found.withinOneLevel),
    meanAbsoluteError: coverage(found.meanAbsoluteError),
    bias: coverage(found.bias),
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

interface BudgetKept {
  /** The share of the papers that nobody needs to look at. */
  spared: number
  /** The share of those that is off by more than the limit, as promised and as found. */
  promised: number
  found: number
}

const QUESTIONS_OF_A_PAPER = 8

/** Papers of classes drawn from a set: what a review budget promises of the papers it leaves out, and what is true of them. */
export function budgetOf(set: ScoredSet, classes: number, limit: number, sampleSize = 20): BudgetKept {
  const random = seededRandom(3)
  const questions = [...Map.groupBy(scoredAnswers(set), ({ questionId }) => questionId).values()]
  let [papers, spared, promised, found] = [0, 0, 0, 0]
  for (let i = 0; i < classes; i++) {
    const asked = shuffled(questions, random)
      .slice(0, QUESTIONS_OF_A_PAPER)
      .map((own) => shuffled(own, random).slice(0, PAPERS))
    const size = Math.min(...asked.map(({ length }) => length))
    const written = Array.from({ length: size }, (_, paper) => asked.flatMap((own) => own[paper] ?? []))
    const sample = new Set(chooseSample(written.flat(), sampleSize, random))
    const { toReview, risk } = chooseReviewBudget(
      written.map((own, id) => ({
        id,
        answers: own.map(({ truth, ...answer }, at) => ({
          ...answer,
          points: 1,
          decided: false,
          ...(sample.has(own[at] as KnownAnswer) ? { person: truth } : {}),
        })),
      })),
      { limit, probability: 0.05 },
    )
    const looked = new Set(toReview)
    const others = written.filter((_, id) => !looked.has(id))
    papers += size
    spared += others.length
    promised += risk * others.length
    found += others.filter(
      (own) => 100 * Math.abs(own.reduce((sum, { share, truth }) => sum + share - truth, 0)) > limit * own.length,
    ).length
  }
  return { spared: spared / papers, promised: promised / Math.max(1, spared), found: found / Math.max(1, spared) }
}
