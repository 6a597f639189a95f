import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { finalResult } from './final-result.ts'
import { refineQuestionKinds } from './refine-question-kinds.ts'

const question = (kind: Question['kind'], keys: string[]): Question => ({
  id: 'q1',
  number: '1',
  prompt: 'Work it out.',
  kind,
  criteria: keys.map((expected, i) => ({ id: `q1.${i + 1}`, text: expected, points: 1, expected, alternatives: [] })),
  regions: [],
})
const refined = (kind: Question['kind'], keys: string[]) => {
  const one = question(kind, keys)
  refineQuestionKinds([one])
  return one
}

it('takes the result of a worked key, whatever is asked', () => {
  expect(finalResult('What mass of salt is left?', '0.3 × 58.5 = 17.6 g')).toBe('17.6 g')
  expect(finalResult('What force acts?', '1200 ÷ 4 = 300 N')).toBe('300 N')
  expect(finalResult('What is its speed?', '(93)(9.8)(55) = 1/2(93)v² 32.8 m/s = v')).toBe('32.8 m/s')
  // An equation is no working.
  expect(finalResult('What links them?', 'F = 3x')).toBe(null)
  expect(finalResult('State the rule.', 'T = 4n − 1 = 7')).toBe(null)
})

it('takes a number with a mark of its own for the unit for a number', () => {
  const one = refined('formula', ['(24 − 6) / 9', '(a =) 2.0', 'm/s²'])
  expect(one.kind).toBe('number')
  expect(one.criteria.map(({ expected }) => expected)).toEqual(['(24 − 6) / 9', '2.0', 'm/s²'])
})

it('takes marks for what is said, and one for a formula, for words', () => {
  const said = ['measure the mass of the empty beaker', 'heat until the mass stays the same', 'density = m / V']
  expect(refined('formula', said).kind).toBe('text')
  expect(refined('formula', ['x² = 2 − y', 'y = 2 − x²']).kind).toBe('formula')
  expect(refined('number', ['correct method', '12 cm']).kind).toBe('number')
})
