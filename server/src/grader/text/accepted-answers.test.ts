import { expect, it } from 'vitest'
import { acceptedAnswers } from './terms.ts'

it.each([
  [
    'a word allowed for another',
    'the drag equals the weight',
    ['air resistance for drag'],
    ['the drag equals the weight', 'the air resistance equals the weight'],
  ],
  ['what is allowed as a whole', 'friction', ['drag'], ['friction', 'drag']],
  ['a purpose, which is no exchange', 'chop the wood', ['wood for the fire'], ['chop the wood', 'wood for the fire']],
  ['guidance that was cut off', 'the drag equals the weight', ['pull of gravity for'], ['the drag equals the weight']],
  ['no word on how the marks fall', '2 4 6, 1 mark for 2', [], ['2 4 6']],
  ['nothing', '', [' '], []],
])('accepts %s', (_, expected, alternatives, accepted) => {
  expect(acceptedAnswers({ expected, alternatives })).toEqual(accepted)
})
