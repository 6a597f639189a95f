import { expect, it } from 'vitest'
import type { Anchor } from '../grader.ts'
import { planMarking, type StatedAnswer } from './marking-plan.ts'

const criterion = (id: string, expected: string, points = 2) => ({ id, text: '', points, expected, alternatives: [] })
const rubric = {
  problems: [],
  questions: [
    {
      id: 'q1',
      number: '1',
      prompt: 'Why do plants need light?',
      kind: 'text' as const,
      regions: [],
      criteria: [criterion('q1', 'They use light for photosynthesis to make glucose.')],
    },
    {
      id: 'q2',
      number: '2',
      prompt: 'How long is the root, in cm?',
      kind: 'number' as const,
      regions: [],
      criteria: [criterion('q2', '12')],
    },
  ],
}
const written = [
  'they use it for photosynthesis to make glucose',
  'They use it for photosynthesis, to make glucose.',
  'to make glucose',
  'light is needed for photosynthesis',
  'because it is warm',
  'so that they can see',
  'light makes food in the leaves',
  'they make their food with the light',
]
const lengths = ['12', '12 cm', '12.0', '13', '14', '13 cm', '', '12cm']
const everyone = {
  submissions: written.map((text, i) => ({ id: i + 1, texts: { q1: text, q2: lengths[i] ?? '' } })),
}
const stated = (texts: string[]): StatedAnswer[] =>
  texts.map((text, i) => ({ id: i + 1, text, state: text === '' ? 'empty' : 'read' }))
const plan = (questionId: 'q1' | 'q2', anchors: Anchor[] = []) =>
  planMarking({ rubric, questionId, everyone, answers: stated(questionId === 'q1' ? written : lengths), anchors })

it('names three answers to mark, none of them twice, and expects to be less off once they are', () => {
  const { next, expected_error, expected_error_after, decided, moved, groups } = plan('q1')
  expect(new Set(next).size).toBe(3)
  expect(next).not.toEqual(expect.arrayContaining([1, 2]))
  expect(expected_error_after).toBeLessThan(expected_error)
  expect([decided, moved]).toEqual([0, 0])
  expect(groups.flatMap(({ variants }) => variants.flatMap(({ ids }) => ids)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

it('does not name what is marked, and counts what the decisions moved', () => {
  const anchors = [
    { submission_id: 5, criterion_id: 'q1', score: 1.5 },
    { submission_id: 7, criterion_id: 'q1', score: 2 },
  ]
  const { next, decided, moved } = plan('q1', anchors)
  expect(next).not.toContain(5)
  expect(next).not.toContain(7)
  expect(decided).toBe(2)
  expect(moved).toBeGreaterThan(0)
})

it('carries a decision on a number to the same number in other words, and only to it', () => {
  const before = plan('q2')
  const after = plan('q2', [{ submission_id: 4, criterion_id: 'q2', score: 1 }])
  const shareOf = ({ groups }: typeof before, id: number) =>
    groups.find(({ variants }) => variants.some(({ ids }) => ids.includes(id)))?.share
  expect(shareOf(before, 6)).toBe(0)
  expect(shareOf(after, 6)).toBe(0.5)
  expect(shareOf(after, 5)).toBe(0)
  expect(shareOf(after, 8)).toBe(1)
  expect(after.moved).toBe(1)
})

it('refuses a question the rubric does not have', () => {
  expect(() => planMarking({ rubric, questionId: 'q9', everyone, answers: [] })).toThrow(RangeError)
})
