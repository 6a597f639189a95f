import { describe, expect, it } from 'vitest'
import { evaluateRows } from '../offline/evaluate-rows.ts'
import { hasReversedRoles } from './roles.ts'
import { type SwappedStatement, swappedStatements as statements } from './testing/swapped-statements.ts'

/** What “accept what is sure” would give points for. */
const SURE = 0.7

/** In a class of six, most of whom are right. */
function judged({ key, right, swapped }: SwappedStatement) {
  const answers = [right, swapped, `I think ${right}`, `${right} as we saw`, key, `${key} we learnt this`]
  const rows = answers.map((student_answer, id) => ({
    id,
    question_id: key,
    question: 'Explain.',
    reference_answer: key,
    student_answer,
    alt_references: [],
    max_score: 1,
  }))
  return evaluateRows(rows)
}

describe('statements the other way round', () => {
  it('are found, and right answers in other words are not taken for them', () => {
    const missed = statements.filter(({ key, swapped }) => !hasReversedRoles([key], swapped))
    const lowered = statements.filter(({ key, right }) => hasReversedRoles([key], right))
    expect(lowered.map(({ right }) => right)).toEqual([])
    expect(missed.map(({ swapped }) => swapped)).toEqual([])
  })

  it('are found by another right answer as the key in most cases, and right ones are not', () => {
    const missed = statements.filter(({ right, swapped }) => !hasReversedRoles([right], swapped))
    const lowered = statements.filter(({ key, right }) => hasReversedRoles([right], key))
    expect(lowered.map(({ key }) => key)).toEqual([])
    expect(missed.length / statements.length).toBeLessThan(0.25)
  })

  it('are never given most of the points with confidence', () => {
    const accepted = statements.filter((statement) => {
      const { score = 0, confidence = 0 } = judged(statement)[1] ?? {}
      return score > 0.5 && confidence >= SURE
    })
    expect(accepted.map(({ swapped }) => swapped)).toEqual([])
  })
})
