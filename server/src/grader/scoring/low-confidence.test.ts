import type { QuestionKind, Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { isTotalUncertain, lowConfidenceReason } from './low-confidence.ts'

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

describe('the error of the total', () => {
  const ten = rubricOf(Array.from({ length: 10 }, () => 'number'))

  it('is not earned by one doubtful answer of many', () => {
    expect(lowConfidenceReason(ten, judged([0.5, ...Array(9).fill(0.99)]))).toBeNull()
    expect(lowConfidenceReason(ten, judged([0.2, 0.2, 0.2, ...Array(7).fill(0.99)]))).not.toBeNull()
  })

  it('names the questions without which it would be small', () => {
    const reason = lowConfidenceReason(ten, judged([0.02, 0.99, 0.05, 0.95, ...Array(6).fill(0.99)]))
    expect(reason?.message).toBe(
      'The grader is unsure of the points for question 1. The total may be off by about 11 of 100.',
    )
    expect(reason).toMatchObject({ question_id: 'q1', question_ids: ['q1'] })
    const more = lowConfidenceReason(ten, judged(Array(10).fill(0.2)))
    expect(more?.message).toMatch(/^The grader is unsure of the points for questions 1, 2, 3,.* and \d+\. The total/)
    expect(more?.question_ids?.length).toBeGreaterThan(2)
    expect(more?.question_id).toBeUndefined()
  })

  it('counts what is a matter of degree for less than what is right or wrong', () => {
    const doubtful = judged([0.3, 0.3, 0.3, ...Array(7).fill(0.99)])
    expect(lowConfidenceReason(ten, doubtful)).not.toBeNull()
    expect(lowConfidenceReason(rubricOf(Array.from({ length: 10 }, () => 'text')), doubtful)).toBeNull()
  })

  it('adds up the points of one question, which go wrong together', () => {
    const [first] = rubricOf(['text']).questions
    const parts = [1, 2, 3, 4].map(() => ({ question_id: 'q1', confidence: 0.55, max_score: 1, score: 1 }))
    const apart = [1, 2, 3, 4].map((i) => ({ question_id: `q${i}`, confidence: 0.55, max_score: 1, score: 1 }))
    const rest = Array.from({ length: 8 }, (_, i) => ({
      question_id: `q${i + 5}`,
      confidence: 1,
      max_score: 1,
      score: 1,
    }))
    const many = rubricOf(Array.from({ length: 12 }, () => 'number'))
    expect(first?.id).toBe('q1')
    expect(lowConfidenceReason(many, [...parts, ...rest])).not.toBeNull()
    expect(lowConfidenceReason(many, [...apart, ...rest])).toBeNull()
  })

  it('leaves what has no score to other reasons', () => {
    expect(lowConfidenceReason(ten, judged([0, 0, 0, ...Array(7).fill(0.99)]))).toBeNull()
    expect(lowConfidenceReason(rubricOf([]), [])).toBeNull()
  })

  it('is larger where answers in words got less, or more, than what the paper got by rule', () => {
    const rubric = rubricOf([...Array(6).fill('number'), ...Array(4).fill('text')])
    const paper = (byRule: number, inWords: number) =>
      judged([...Array(6).fill(1), ...Array(4).fill(0.8)]).map((one, i) => ({
        ...one,
        score: i < 6 ? byRule : inWords,
      }))
    expect(lowConfidenceReason(rubric, paper(2, 1.8))).toBeNull()
    expect(lowConfidenceReason(rubric, paper(2, 0.5))).toEqual({
      code: 'low_confidence',
      message: 'Answers in words got much less than the rest of this paper. Check questions 7, 8, 9 and 10.',
      question_ids: ['q7', 'q8', 'q9', 'q10'],
    })
    expect(lowConfidenceReason(rubric, paper(0, 1.5))?.message).toContain('much more than the rest')
  })

  it('includes what a person has yet to grade, by how much it is worth', () => {
    expect(isTotalUncertain(ten, judged([0, ...Array(9).fill(0.99)]))).toBe(false)
    expect(isTotalUncertain(ten, judged([0, 0, 0, 0, ...Array(6).fill(0.99)]))).toBe(true)
  })
})
