import { seededRandom } from '../../lib/seeded-random.ts'
import { type AgreementMetrics, measurePairs, type ScorePair } from './agreement-metrics.ts'
import { drawnMarks, type MarkableAnswer } from './drawn-marks.ts'

/** An answer of the class. */
export interface AnswerToCompare extends MarkableAnswer {
  questionId: string
  /** What one level is, as a share of the points. */
  level: number
}

/** An estimate for all of the class's answers and the bounds that hold with 90 % probability. */
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
const DRAWS = 400
export const MARKS_OF_A_QUESTION = 3
/** Of a larger class so many are drawn: the bounds would hardly be narrower. */
const MOST_DRAWN = 4_000
const SEED = 20

/**
 * How the grader agrees with a person on all answers of a class, from the marks for a sample of them (`chooseSample`): what was not marked
 * is drawn many times (`drawnMarks`). So the bounds need no normal distribution, and close as more of the class is marked. The same marks
 * give the same bounds.
 * @throws {Error} where nothing is marked
 */
export function estimateAgreement(answers: readonly AnswerToCompare[]): ClassAgreement {
  const marked = answers.filter(({ person }) => person !== undefined)
  if (marked.length === 0) throw new Error('no answer is marked')
  const random = seededRandom(SEED)
  const drawn = drawnMarks(answers, { random, most: MOST_DRAWN })
  const marksOf = Map.groupBy(marked, ({ questionId }) => questionId)
  const asked = [...marksOf].filter(([, own]) => own.length >= MARKS_OF_A_QUESTION)
  const all: AgreementMetrics[] = []
  const byQuestion = asked.map(([id, own]) => ({ id, marked: own.length, draws: [] as AgreementMetrics[] }))
  for (let i = 0; i < (marked.length === answers.length ? 1 : DRAWS); i++) {
    const pairs = drawn.next().map(({ answer, mark }) => toPair(answer, mark))
    all.push(measurePairs(pairs))
    for (const { id, draws } of byQuestion)
      draws.push(measurePairs(pairs.filter(({ questionId }) => questionId === id)))
  }
  return {
    all: summarize(all),
    questions: new Map(
      byQuestion.map((question) => [question.id, { marked: question.marked, estimates: summarize(question.draws) }]),
    ),
  }
}

const toPair = ({ share, level, questionId }: AnswerToCompare, person: number): ScorePair & { questionId: string } => ({
  grader: share,
  person,
  level,
  questionId,
})

function summarize(draws: readonly AgreementMetrics[]): AgreementEstimates {
  const of = (metric: keyof AgreementMetrics): Estimate | null => {
    const values = draws.flatMap((one) => one[metric] ?? []).sort((a, b) => a - b)
    if (values.length < draws.length / 2) return null
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? 0
    const tail = (1 - PROBABILITY) / 2
    return { value: values.reduce((sum, one) => sum + one, 0) / values.length, low: at(tail), high: at(1 - tail) }
  }
  return {
    kappa: of('kappa'),
    withinOneLevel: of('withinOneLevel'),
    meanAbsoluteError: of('meanAbsoluteError'),
    bias: of('bias'),
  }
}
