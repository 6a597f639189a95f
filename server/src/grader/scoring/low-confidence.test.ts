import type { QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { lowConfidenceReasons } from './low-confidence.ts'

const rubricOf = (kinds: QuestionKind[]): Rubric => ({
  questions: kinds.map((kind, i) => ({
    id: `q${i + 1}`,
    number: `${i + 1}`,
    prompt: '',
    kind,
    criteria: [{ id: `q${i + 1}`, text: '', points: 2, expected: 'x', alternatives: [] }],
    regions: [],
  })),
  problems: [],
})
const judged = (confidences: number[], max_score = 2) =>
  confidences.map((confidence, i) => ({
    question_id: `q${i + 1}`,
    confidence,
    max_score,
    score: confidence > 0 ? 1 : null,
  }))

const named = (rubric: Rubric, criteria: ReturnType<typeof judged>) =>
  lowConfidenceReasons(rubric, criteria).map(({ question_id }) => question_id)

describe('the error of the total', () => {
  const ten = rubricOf(Array.from({ length: 10 }, () => 'number'))

  it('is not earned by one doubtful answer of many', () => {
    expect(named(ten, judged([0.5, ...Array(9).fill(0.99)]))).toEqual([])
    expect(named(ten, judged([0.2, 0.2, 0.2, ...Array(7).fill(0.99)]))).not.toEqual([])
  })

  it('names the questions without which it would be small, each for itself', () => {
    const criteria = judged([0.02, 0.99, 0.05, 0.95, ...Array(6).fill(0.99)])
    expect(lowConfidenceReasons(ten, criteria)).toEqual([
      {
        code: 'low_confidence',
        message: 'The grader is unsure of question 1: about 1 of 2 points may be wrong.',
        question_id: 'q1',
        question_ids: ['q1'],
      },
    ])
    expect(named(ten, judged([0.2, 0.25, ...Array(8).fill(0.3)])).slice(0, 3)).toEqual(['q1', 'q2', 'q3'])
  })

  it('leaves the others named when one of them is sure', () => {
    const doubtful = [0.02, 0.05, 0.1, 0.7, ...Array(6).fill(0.9)]
    const before = named(ten, judged(doubtful))
    expect(before).toEqual(['q1', 'q2', 'q3'])
    expect(named(ten, judged(doubtful.with(0, 0.99)))).toEqual(['q2', 'q3'])
    expect(named(ten, judged(doubtful.with(1, 0.99)))).toEqual(['q1', 'q3'])
  })

  it('adds up the points of one question, which go wrong together', () => {
    const parts = [1, 2, 3, 4].map(() => ({ question_id: 'q1', confidence: 0.4, max_score: 1, score: 1 }))
    const apart = [1, 2, 3, 4].map((i) => ({ question_id: `q${i}`, confidence: 0.6, max_score: 1, score: 1 }))
    const rest = Array.from({ length: 8 }, (_, i) => ({
      question_id: `q${i + 5}`,
      confidence: 1,
      max_score: 1,
      score: 1,
    }))
    const many = rubricOf(Array.from({ length: 12 }, () => 'number'))
    expect(named(many, [...parts, ...rest])).toEqual(['q1'])
    expect(named(many, [...apart, ...rest])).toEqual([])
  })

  it('leaves what has no score to other reasons', () => {
    expect(named(ten, judged([0, 0, 0, ...Array(7).fill(0.99)]))).toEqual([])
    expect(named(rubricOf([]), [])).toEqual([])
  })

  it('is larger where answers in words got less, or more, than what the paper got by rule', () => {
    const rubric = rubricOf([...Array(6).fill('number'), ...Array(4).fill('text')])
    const paper = (byRule: number, inWords: number) =>
      judged([...Array(6).fill(1), ...Array(4).fill(0.9)]).map((one, i) => ({
        ...one,
        score: i < 6 ? byRule : inWords,
      }))
    expect(named(rubric, paper(2, 1.8))).toEqual([])
    expect(named(rubric, paper(2, 0.5)).length).toBeGreaterThan(0)
    expect(named(rubric, paper(0, 1.5))[0]).toMatch(/^q(7|8|9|10)$/)
  })
})
