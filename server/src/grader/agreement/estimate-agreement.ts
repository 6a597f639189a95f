import { seededRandom } from '../../lib/seeded-random.ts'
import { type AgreementMetrics, measurePairs, type ScorePair } from './agreement-metrics.ts'
import { drawnMarks, type MarkableAnswer } from './drawn-marks.ts'

/** An answer of the class. */
export interface AnswerToCompare extends MarkableAnswer {
  /** What one level is, as a share of the points. */
  level: number
}

/** An estimate for all of the class's answers, and bounds chosen to hold in about 90 % of classes. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** Null where a metric says nothing: nobody's marks differ. */
export type AgreementEstimates = { [Metric in keyof AgreementMetrics]: Estimate | null }

export interface ClassAgreement {
  all: AgreementEstimates
  /** By question; none of one of which fewer than `MARKS_OF_A_QUESTION` answers were marked. */
  questions: Map<string, { marked: number; estimates: AgreementEstimates }>
}

const PROBABILITY = 0.9
/** The wider of two bounds holds more often than either: with 90 % of each, in 90 to 96 % of the classes. */
const PROBABILITY_OF_EACH = 0.88
const DRAWS = 400
export const MARKS_OF_A_QUESTION = 3
/** Of a larger class so many are drawn: the bounds would hardly be narrower. */
const MOST_DRAWN = 4_000
const SEED = 20

/**
 * How the grader agrees with a person on all answers of a class, from the marks for a sample of them (`chooseSample`): what was not marked
 * is drawn many times (`drawnMarks`). So the bounds need no normal distribution, and close as more of the class is marked. Those for all
 * questions are the wider ones of what is drawn with and without the questions' random effects: neither alone holds for few questions and
 * for many (`docs/grading.md`). The same marks give the same bounds.
 * @throws {Error} where nothing is marked
 */
export function estimateAgreement(answers: readonly AnswerToCompare[]): ClassAgreement {
  const marked = answers.filter(({ person }) => person !== undefined)
  if (marked.length === 0) throw new Error('no answer is marked')
  const drawn = drawnMarks(answers, { random: seededRandom(SEED), most: MOST_DRAWN })
  const byQuestion = [...Map.groupBy(marked, ({ questionId }) => questionId)]
    .filter(([, own]) => own.length >= MARKS_OF_A_QUESTION)
    .map(([id, own]) => ({ id, marked: own.length, draws: [] as AgreementMetrics[] }))
  const [plain, withEffects]: [AgreementMetrics[], AgreementMetrics[]] = [[], []]
  for (let i = 0; i < (marked.length === answers.length ? 1 : DRAWS); i++) {
    const pairs = drawn.next().map(({ answer, mark, ofQuestion, weight }) => ({
      questionId: answer.questionId,
      plain: toPair(answer, mark, weight),
      withEffect: toPair(answer, ofQuestion, weight),
    }))
    plain.push(measurePairs(pairs.map((pair) => pair.plain)))
    withEffects.push(measurePairs(pairs.map(({ withEffect }) => withEffect)))
    const own = Map.groupBy(pairs, ({ questionId }) => questionId)
    for (const { id, draws } of byQuestion)
      draws.push(measurePairs((own.get(id) ?? []).map(({ withEffect }) => withEffect)))
  }
  const all = widerOf(summarize(plain, PROBABILITY_OF_EACH), summarize(withEffects, PROBABILITY_OF_EACH))
  const isOnly = answers.every(({ questionId }) => questionId === answers[0]?.questionId)
  return {
    all,
    questions: new Map(
      byQuestion.map(({ id, marked: count, draws }) => [
        id,
        { marked: count, estimates: isOnly ? all : summarize(draws) },
      ]),
    ),
  }
}

const toPair = ({ share, level }: AnswerToCompare, person: number, weight: number): ScorePair => ({
  grader: share,
  person,
  level,
  weight,
})

function widerOf(one: AgreementEstimates, other: AgreementEstimates): AgreementEstimates {
  const of = (metric: keyof AgreementMetrics): Estimate | null => {
    const [a, b] = [one[metric], other[metric]]
    return a && b && { value: a.value, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }
  }
  return estimatesOf(of)
}

function summarize(draws: readonly AgreementMetrics[], probability = PROBABILITY): AgreementEstimates {
  return estimatesOf((metric) => {
    const values = draws.flatMap((one) => one[metric] ?? []).sort((a, b) => a - b)
    if (values.length < draws.length / 2) return null
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? 0
    const tail = (1 - probability) / 2
    const [low, high] = [at(tail), at(1 - tail)]
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length
    // A few draws far off on one side may take the mean out of the bounds.
    return { value: Math.min(high, Math.max(low, mean)), low, high }
  })
}

const estimatesOf = (of: (metric: keyof AgreementMetrics) => Estimate | null): AgreementEstimates => ({
  kappa: of('kappa'),
  withinOneLevel: of('withinOneLevel'),
  meanAbsoluteError: of('meanAbsoluteError'),
  bias: of('bias'),
})
