import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/seeded-random.ts'
import { measurePairs, quadraticWeightedKappa } from './agreement-metrics.ts'
import { type AnswerToCompare, estimateAgreement } from './estimate-agreement.ts'
import { chooseReviewBudget, chooseReviewBudgets, type PaperToReview } from './review-budget.ts'
import { chooseSample, strataOf } from './strata.ts'

const pairsOf = (rows: readonly (readonly [number, number])[], most = 1) =>
  rows.map(([grader, person]) => ({ grader: grader / most, person: person / most, level: 1 / most }))

/** By the book: a table of how often each pair of levels occurs, against the product of its margins. */
function kappaByTable(rows: readonly (readonly [number, number])[], levels: number): number | null {
  const table = Array.from({ length: levels }, () => Array<number>(levels).fill(0))
  for (const [a, b] of rows) (table[a] as number[])[b] = (table[a]?.[b] ?? 0) + 1
  const byRow = table.map((row) => row.reduce((sum, one) => sum + one, 0))
  const byColumn = table.map((_, j) => table.reduce((sum, row) => sum + (row[j] ?? 0), 0))
  let [observed, expected] = [0, 0]
  for (let i = 0; i < levels; i++)
    for (let j = 0; j < levels; j++) {
      const weight = (i - j) ** 2 / (levels - 1) ** 2
      observed += weight * (table[i]?.[j] ?? 0)
      expected += (weight * (byRow[i] ?? 0) * (byColumn[j] ?? 0)) / rows.length
    }
  return expected > 0 ? 1 - observed / expected : null
}

describe('quadratic weighted kappa', () => {
  it('is as computed by a table of levels, to a billionth', () => {
    const LEVELS = 7
    const level = fc.integer({ min: 0, max: LEVELS - 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(level, level), { minLength: 2, maxLength: 200 }), (rows) => {
        const [ours, theirs] = [quadraticWeightedKappa(pairsOf(rows, LEVELS - 1)), kappaByTable(rows, LEVELS)]
        if (ours === null || theirs === null) expect(ours).toBe(theirs)
        else expect(Math.abs(ours - theirs)).toBeLessThan(1e-9)
      }),
    )
  })

  it('is 1 for the same scores, −1 for opposite ones, and none where nothing differs', () => {
    expect(
      quadraticWeightedKappa(
        pairsOf(
          [
            [0, 0],
            [1, 1],
            [2, 2],
          ],
          2,
        ),
      ),
    ).toBeCloseTo(1, 12)
    expect(
      quadraticWeightedKappa(
        pairsOf(
          [
            [0, 2],
            [2, 0],
          ],
          2,
        ),
      ),
    ).toBeCloseTo(-1, 12)
    expect(
      quadraticWeightedKappa(
        pairsOf(
          [
            [2, 2],
            [2, 2],
          ],
          2,
        ),
      ),
    ).toBeNull()
    expect(quadraticWeightedKappa([])).toBeNull()
  })
})

it('says by how much two scorers differ, and in which direction', () => {
  expect(
    measurePairs(
      pairsOf(
        [
          [3, 1],
          [2, 2],
          [2, 1],
          [4, 4],
        ],
        4,
      ),
    ),
  ).toMatchObject({
    withinOneLevel: 0.75,
    meanAbsoluteError: 0.1875,
    bias: 0.1875,
  })
})

const classOf = (size: number, mark: (i: number) => number | undefined): AnswerToCompare[] =>
  Array.from({ length: size }, (_, i) => {
    const person = mark(i)
    const answer = { questionId: `q${i % 4}`, share: (i % 11) / 10, expectedError: 0.1 + (i % 3) / 10, level: 0.25 }
    return person === undefined ? answer : { ...answer, person }
  })

describe('a sample', () => {
  it('has as many answers of each stratum, and more of what the grader is unsure of', () => {
    const sure = Array.from({ length: 80 }, (_, i) => ({ share: 0.9 + i / 1000, expectedError: 0.02 }))
    const unsure = Array.from({ length: 40 }, (_, i) => ({ share: i / 100, expectedError: 0.4 }))
    const chosen = chooseSample([...sure, ...unsure], 20, seededRandom(1))
    expect(chosen).toHaveLength(20)
    expect(new Set(chosen).size).toBe(20)
    expect(chosen.filter((one) => one.expectedError > 0.3).length).toBeGreaterThan(10)
    expect(chosen.filter((one) => one.expectedError < 0.3).length).toBeGreaterThan(3)
    for (const stratum of strataOf([...sure, ...unsure], 20))
      expect(stratum.filter((one) => chosen.includes(one)).length).toBe(4)
  })

  it('is all answers of a small class, and differs by draw in a larger one', () => {
    expect(
      chooseSample(
        classOf(12, () => undefined),
        20,
        seededRandom(1),
      ),
    ).toHaveLength(12)
    const answers = classOf(100, () => undefined)
    expect(chooseSample(answers, 20, seededRandom(1))).not.toEqual(chooseSample(answers, 20, seededRandom(2)))
  })
})

describe('the estimate for a class', () => {
  it('is exact where every answer is marked', () => {
    const answers = classOf(40, (i) => (i % 5) / 4)
    const { all } = estimateAgreement(answers)
    const truth = measurePairs(answers.map(({ share, person = 0, level }) => ({ grader: share, person, level })))
    for (const metric of ['bias', 'meanAbsoluteError', 'withinOneLevel', 'kappa'] as const) {
      expect(all[metric]?.low).toBeCloseTo(truth[metric] ?? 0, 9)
      expect(all[metric]?.high).toBeCloseTo(truth[metric] ?? 0, 9)
    }
  })

  it('has bounds around its value that close with more marks, and is the same each time', () => {
    const width = (marked: number) => {
      const step = Math.floor(200 / marked)
      const answers = classOf(200, (i) => (i % step === 0 ? Math.round(((i * 7) % 11) / 2.5) / 4 : undefined))
      const { bias } = estimateAgreement(answers).all
      expect(estimateAgreement(answers).all.bias).toEqual(bias)
      if (!bias) throw new Error('no bias')
      expect(bias.low).toBeLessThan(bias.value)
      expect(bias.high).toBeGreaterThan(bias.value)
      return bias.high - bias.low
    }
    expect(width(100)).toBeLessThan(width(50))
    expect(width(50)).toBeLessThan(width(20))
  })

  it('finds a grader that gives everybody too much', () => {
    const answers = classOf(200, (i) => (i % 8 === 0 ? Math.max(0, (i % 11) / 10 - 0.4) : undefined))
    expect(estimateAgreement(answers).all.bias?.low).toBeGreaterThan(0.1)
  })

  it('names the questions of which enough answers were marked', () => {
    const marked = new Set([0, 4, 8, 12, 1, 5])
    const { questions } = estimateAgreement(classOf(100, (i) => (marked.has(i) ? 0.5 : undefined)))
    expect([...questions].map(([id, { marked: count }]) => [id, count])).toEqual([['q0', 4]])
  })

  it('tells a question that is marked otherwise than the others from them', () => {
    // Every third is marked: where it is of q3 the person gives nothing, else what the grader gave.
    const answers = classOf(240, (i) => (i % 3 > 0 ? undefined : i % 4 === 3 ? 0 : (i % 11) / 10))
    const { all, questions } = estimateAgreement(answers)
    expect(questions.get('q3')?.estimates.bias?.low).toBeGreaterThan(0.3)
    expect(questions.get('q1')?.estimates.bias?.high).toBeLessThan(0.1)
    expect(all.bias?.value).toBeGreaterThan(0.05)
    expect(all.bias?.value).toBeLessThan(0.2)
  })

  it('has its value within its bounds where nearly all draws are the same', () => {
    const answers = Array.from({ length: 120 }, (_, i): AnswerToCompare => {
      const share = Math.floor(i / 8) % 2
      const answer = { questionId: `q${i % 6}`, share, expectedError: 0.02, level: 0.25 }
      return (i + Math.floor(i / 6)) % 3 === 0 ? { ...answer, person: share } : answer
    })
    for (const { estimates } of estimateAgreement(answers).questions.values())
      for (const estimate of Object.values(estimates)) {
        expect(estimate?.value).toBeGreaterThanOrEqual(estimate?.low ?? 0)
        expect(estimate?.value).toBeLessThanOrEqual(estimate?.high ?? 0)
      }
  })

  it('has bounds that hold for about nine of ten classes', () => {
    const random = seededRandom(7)
    let [held, of] = [0, 0]
    for (let i = 0; i < 60; i++) {
      // The person gives the points or not, by chance more often where the grader does, in some classes more than in others.
      const lenient = random() * 0.4 - 0.2
      const all = Array.from({ length: 60 }, (_, at): AnswerToCompare & { truth: number } => {
        const share = (at % 5) / 4
        const truth = random() < 0.2 + 0.6 * share + lenient ? 1 : 0
        return { questionId: `q${at % 2}`, share, expectedError: 0.3, level: 0.25, truth }
      })
      const sample = new Set(chooseSample(all, 20, random))
      const { bias } = estimateAgreement(
        all.map((answer) => (sample.has(answer) ? { ...answer, person: answer.truth } : answer)),
      ).all
      const truth = all.reduce((sum, answer) => sum + answer.share - answer.truth, 0) / all.length
      of++
      if (bias && bias.low <= truth && truth <= bias.high) held++
    }
    expect(held / of).toBeGreaterThan(0.84)
    expect(held / of).toBeLessThan(0.99)
  })

  it('says the same of all questions and of the only one', () => {
    const answers = classOf(100, (i) => (i % 9 === 0 ? (i % 5) / 4 : undefined))
    const { all, questions } = estimateAgreement(answers.map((answer) => ({ ...answer, questionId: 'q1' })))
    expect(questions.get('q1')?.estimates).toEqual(all)
  })

  it('does not take few marks that agree for all of a question, however large the class', () => {
    const answers = Array.from({ length: 6000 }, (_, i): AnswerToCompare => {
      const questionId = i % 200 === 0 ? 'rare' : 'common'
      const answer = { questionId, share: (i % 5) / 4, expectedError: 0.3, level: 0.25 }
      return i % 1400 === 0 || i % 1999 === 0 ? { ...answer, person: answer.share } : answer
    })
    const { questions } = estimateAgreement(answers)
    const { marked, estimates } = questions.get('rare') ?? { marked: 0, estimates: null }
    expect(marked).toBe(5)
    expect(estimates?.withinOneLevel?.high).toBe(1)
    expect(estimates?.withinOneLevel?.low).toBeLessThan(0.95)
  })

  it('takes marks of answers that are all in one stratum since the grader has changed', () => {
    const answers = classOf(100, (i) => (i % 11 === 10 ? 1 : undefined))
    expect(estimateAgreement(answers).all.bias).not.toBeNull()
  })

  it('needs a mark', () => {
    expect(() => estimateAgreement(classOf(10, () => undefined))).toThrow('no answer is marked')
  })
})

describe('a review budget', () => {
  /** Answers with the grader's share and a person's, of which every third is marked. */
  const papersOf = (person: (paper: number, at: number) => number): PaperToReview[] =>
    Array.from({ length: 60 }, (_, id) => ({
      id,
      answers: Array.from({ length: 8 }, (__, at) => ({
        questionId: `q${at}`,
        share: at % 2,
        expectedError: 0.02,
        points: 1,
        decided: false,
        ...((id + at) % 3 === 0 ? { person: person(id, at) } : {}),
      })),
    }))

  it('asks for no paper where the sample agrees, and for all where it does not', () => {
    const limits = { limit: 10, probability: 0.05 }
    expect(
      chooseReviewBudget(
        papersOf((_, at) => at % 2),
        limits,
      ).toReview,
    ).toEqual([])
    expect(
      chooseReviewBudget(
        papersOf(() => 0),
        limits,
      ).toReview,
    ).toHaveLength(60)
  })

  it('is shorter for a wider limit or a higher risk, and promises what it was asked for', () => {
    const papers = papersOf((id, at) => ((id * 5 + at) % 7 === 0 ? 1 - (at % 2) : at % 2))
    const length = (limit: number, probability: number) => {
      const budget = chooseReviewBudget(papers, { limit, probability })
      expect(budget.risk).toBeLessThanOrEqual(probability)
      return budget.toReview.length
    }
    expect(length(30, 0.05)).toBeLessThan(length(15, 0.05))
    expect(length(20, 0.2)).toBeLessThan(length(20, 0.02))
  })

  it('leaves none unread where only a few could be: these would be the luckiest', () => {
    const papers = papersOf((id, at) => ((id * 5 + at) % 7 === 0 ? 1 - (at % 2) : at % 2))
    for (const limit of [2, 5, 10, 15, 20, 25, 30, 40]) {
      const { others, toReview } = chooseReviewBudget(papers, { limit, probability: 0.05 })
      expect(others + toReview.length).toBe(60)
      if (others > 0) expect(others).toBeGreaterThanOrEqual(15)
    }
  })

  it('is the same for one limit as for that among several', () => {
    const papers = papersOf((id, at) => ((id * 5 + at) % 7 === 0 ? 1 - (at % 2) : at % 2))
    const several = chooseReviewBudgets(papers, { limits: [40, 15, 30], probability: 0.05 })
    const single = [40, 15, 30].map((limit) => chooseReviewBudget(papers, { limit, probability: 0.05 }))
    expect(several).toEqual(single)
  })

  it('neither names nor counts papers that a person has approved', () => {
    const papers = papersOf(() => 0).map((paper) => ({ ...paper, approved: paper.id % 2 === 0 }))
    const { toReview, others } = chooseReviewBudget(papers, { limit: 10, probability: 0.05 })
    expect(toReview).toHaveLength(30)
    expect(toReview.filter((id) => id % 2 === 0)).toEqual([])
    expect(others).toBe(0)
  })

  it('neither names nor counts papers of which every answer is decided, so that they dilute no promise', () => {
    const open = papersOf((id, at) => ((id * 5 + at) % 7 === 0 ? 1 - (at % 2) : at % 2))
    const decided = open.map(({ id, answers }) => ({
      id: id + 1000,
      answers: answers.map(({ person: _, ...one }) => ({ ...one, decided: true })),
    }))
    const budget = chooseReviewBudget([...open, ...decided], { limit: 15, probability: 0.05 })
    expect(budget.toReview.filter((id) => id >= 1000)).toEqual([])
    expect(budget.toReview.length + budget.others).toBe(60)
  })

  it('keeps its promise for what it leaves unread, in classes whose marks are given more or less freely', () => {
    const random = seededRandom(11)
    let [left, far, papers] = [0, 0, 0]
    for (let i = 0; i < 60; i++) {
      const lenient = random() * 0.3 - 0.15
      const drawn = Array.from({ length: 20 }, (_, id) => ({
        id,
        answers: Array.from({ length: 8 }, (__, at) => {
          const share = ((id * 3 + at) % 5) / 4
          const truth = random() < 0.1 + 0.8 * share + lenient ? 1 : 0
          return { questionId: `q${at}`, share, expectedError: 0.25, level: 0.25, points: 1, decided: false, truth }
        }),
      }))
      const sample = new Set(
        chooseSample(
          drawn.flatMap(({ answers }) => answers),
          20,
          random,
        ),
      )
      const { toReview } = chooseReviewBudget(
        drawn.map(({ id, answers }) => ({
          id,
          answers: answers.map((one) => (sample.has(one) ? { ...one, person: one.truth } : one)),
        })),
        { limit: 35, probability: 0.05 },
      )
      const others = drawn.filter(({ id }) => !toReview.includes(id))
      papers += drawn.length
      left += others.length
      far += others.filter(
        ({ answers }) => Math.abs(answers.reduce((sum, { share, truth }) => sum + share - truth, 0)) > 0.35 * 8,
      ).length
    }
    expect(left / papers).toBeGreaterThan(0.01)
    expect(far / left).toBeLessThan(0.05)
  })

  it('leaves alone papers whose answers a person has decided', () => {
    const decided = papersOf((_, at) => 1 - (at % 2)).map((paper) =>
      paper.id < 10 ? { ...paper, answers: paper.answers.map((one) => ({ ...one, decided: true })) } : paper,
    )
    const { toReview } = chooseReviewBudget(decided, { limit: 10, probability: 0.05 })
    expect(toReview.filter((id) => id < 10)).toEqual([])
  })
})
