import type { Question } from '@assay/shared/rubrics.ts'
import { expect, it } from 'vitest'
import { finalResult } from './final-result.ts'
import { refineQuestionKinds } from './question-kind.ts'

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

it.each([
  ['What does it print?', 'The loop doubles each time. The answer is 96. It is 3 times a power of two.', '96'],
  ['What is its order?', '6, it is the least common multiple of both', '6'],
  ['How warm is it?', 'Any answer between 20 and 24 °C will be accepted, as the curve shows', '20 to 24 °C'],
  ['How far is it?', 'so accept answers between 0.51-0.55', '0.51 to 0.55'],
  ['How often?', 'For n = 8 and n = 4 it is about 8²/4² = 4', '4'],
  ['Calculate it.', 'u = 4 m/s v = u + at t = 2 s = 10 m/s v = ?', '10 m/s'],
  ['Solve the equation 3x + 5 = 20.', '3x + 5 = 20, so 3x = 15 and x = 5', '5'],
  ['The function f is f(x) = 2x + 1. Calculate f(4).', 'f(4) = 2 × 4 + 1 = 8 + 1 = 9', '9'],
  ['Find the determinant of the matrix.', 'It is ad − bc = 6 − 4 = 2', '2'],
  ['What is the sum?', 'The sum of the numbers from 1 to 100 is 5050.', '5050'],
  ['What are the advantages of a union?', '1. Better working conditions for members. 2. Higher pay.', null],
  ['What are the causes?', '1914: the archduke was shot', null],
  ['Find the density function of X.', 'Its integral over all x must be 1, so the constant is 2', null],
])('%s “%s” comes to %j', (prompt, working, result) => {
  expect(finalResult(prompt, working)).toBe(result)
})

it('takes a row of letters with the words they stand for as choices', () => {
  const matched = (key: string) => ({ ...question('text', [key]), prompt: 'Write the letter from COLUMN B: a bank' })
  const letters = ['E (Levee)', 'B (Delta)', 'C'].map(matched)
  refineQuestionKinds(letters)
  expect(letters.map(({ kind, criteria: [only] }) => [kind, only?.expected, only?.alternatives])).toEqual([
    ['choice', 'E', ['Levee']],
    ['choice', 'B', ['Delta']],
    ['choice', 'C', []],
  ])
  const symbols = ['B (boron)', 'C (carbon)', 'F (fluorine)'].map((key) => question('text', [key]))
  refineQuestionKinds(symbols)
  expect(symbols.map(({ kind }) => kind)).toEqual(['text', 'text', 'text'])
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
