import { expect, it } from 'vitest'
import { exactJudgement } from '../exact/judgement.ts'
import { doubtCarriedErrors } from './class-judge.ts'

const questions = ['1a', '1b', '2'].map((number) => ({
  id: number,
  number,
  prompt: '',
  kind: 'number' as const,
  criteria: [],
  regions: [],
}))
const judged = (question_id: string, score: number) => ({
  suggestion: {
    criterion_id: question_id,
    question_id,
    criterion_text: '',
    score,
    max_score: 1,
    level: null,
    feedback: '',
    confidence: 0.95,
    evidence: [],
  },
  judgement: exactJudgement(0, 0.95, score > 0 ? 'exact_right' : 'exact_wrong'),
})
const confidences = (...scores: [number, number, number]) =>
  doubtCarriedErrors(
    { questions },
    questions.map(({ id }, i) => judged(id, scores[i] ?? 0)),
  ).map(({ suggestion }) => suggestion.confidence)

it('is not sure of a wrong number that may follow from a wrong one before it', () => {
  expect(confidences(0, 0, 0)).toEqual([0.95, 0.75, 0.95])
  expect(confidences(1, 0, 0)).toEqual([0.95, 0.95, 0.95])
  expect(confidences(0, 1, 0)).toEqual([0.95, 0.95, 0.95])
})
