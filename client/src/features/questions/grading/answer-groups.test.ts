import type { AnswerGroup } from '@assay/shared/questions.ts'
import { describe, expect, it } from 'vitest'
import { buildQuestionAnswer, buildQuestionToGrade } from '../../../testing/build-question.ts'
import { decidedAfter, groupTogether, keepOrder, nextUndecided, summarize, withAnswers } from './answer-groups.ts'

const group = (id: string, ...answers: number[]): AnswerGroup => ({ id, kind: 'same', variants: [answers] })
const ids = (groups: readonly AnswerGroup[]) => groups.map(({ id }) => id)

describe('the order of groups', () => {
  const shown = [group('a', 1, 2, 3), group('b', 4, 5), group('c', 6)]

  it('is the first one, whatever comes later', () => {
    expect(ids(keepOrder([], shown))).toEqual(['a', 'b', 'c'])
    expect(ids(keepOrder(shown, [...shown].reverse()))).toEqual(['a', 'b', 'c'])
  })

  it('has a new group where most of its answers were, and leaves out one that is gone', () => {
    expect(ids(keepOrder(shown, [group('new', 4, 5, 6), group('a', 1, 2, 3)]))).toEqual(['a', 'new'])
  })

  it('has a group of answers that were in none at the end', () => {
    expect(ids(keepOrder(shown, [group('late', 9), ...shown]))).toEqual(['a', 'b', 'c', 'late'])
  })

  it('has answers put together after the group most of them come from', () => {
    const after = groupTogether(shown, [2, 3, 6], 'own')
    expect(after.map(({ id, variants }) => [id, variants.flat()])).toEqual([
      ['a', [1]],
      ['own', [2, 3, 6]],
      ['b', [4, 5]],
    ])
  })
})

describe('a group', () => {
  const { question, answers, groups } = buildQuestionToGrade()
  const { criteria } = question

  it('has the mean of what its answers get, decided or suggested', () => {
    const [first] = withAnswers(groups, [
      buildQuestionAnswer(11, { decided: { q3: 2 } }),
      buildQuestionAnswer(12),
      buildQuestionAnswer(13, { suggested: {} }),
    ])
    if (!first) throw new Error('no group')
    expect(summarize(first, criteria)).toMatchObject({ size: 3, undecided: 2, points: 3.5, mixed: true })
  })

  it('is next when an answer in it is undecided, from the first again after the last', () => {
    const all = withAnswers(groups, answers)
    expect(nextUndecided(all, 0, criteria)?.id).toBe('g124')
    expect(nextUndecided(all, 3, criteria)?.id).toBe('g144')
    expect(nextUndecided(all, 3, criteria, new Set([11, 12, 13]))?.id).toBe('g124')
    expect(nextUndecided(all, 0, criteria, new Set(answers.map((one) => one.submission_id)))).toBeUndefined()
  })
})

it('gives points beside those of other criteria, each answer its suggestion, or takes all back', () => {
  const answer = buildQuestionAnswer(1, { decided: { a: 1 }, suggested: { b: 2 } })
  expect(decidedAfter(answer, { b: 0.5 })).toEqual({ a: 1, b: 0.5 })
  expect(decidedAfter(answer, 'suggested')).toEqual({ a: 1, b: 2 })
  expect(decidedAfter(answer, null)).toBeNull()
  expect(decidedAfter(buildQuestionAnswer(1, { suggested: {} }), 'suggested')).toBeNull()
})
