import { expect, it } from 'vitest'
import type { Question } from '../rubrics.ts'
import { numberGaps, numbersWithoutGap } from './question-numbers.ts'

const questions = (numbers: string[]): Question[] =>
  numbers.map((number, i) => ({
    id: `q${i}`,
    number,
    prompt: '',
    kind: 'text',
    criteria: [{ id: `q${i}`, text: '', points: 1, expected: 'x', alternatives: [] }],
    regions: [],
  }))

it.each([
  [
    ['1', '2', '4', '5'],
    ['1', '2', '3', '4'],
  ],
  [
    ['1', '2', '4 a', '4 b', '5'],
    ['1', '2', '3 a', '3 b', '4'],
  ],
  [
    ['2', '3'],
    ['1', '2'],
  ],
  [
    ['1 a', '1 c', '1 d', '2 d'],
    ['1 a', '1 b', '1 c', '2 d'],
  ],
  [
    ['1 i', '1 iii', '1 iv'],
    ['1 i', '1 ii', '1 iii'],
  ],
  [
    ['1.1', '1.3'],
    ['1.1', '1.2'],
  ],
  [
    ['1', '2', '1 (part 2)', '3 (part 2)'],
    ['1', '2', '1 (part 2)', '2 (part 2)'],
  ],
])('%j without its gap is %j', (numbers, closed) => {
  const list = questions(numbers)
  const [gap] = numberGaps(list)
  if (!gap) throw new Error('a gap')
  expect(numbersWithoutGap(list, gap)).toEqual(closed)
})
