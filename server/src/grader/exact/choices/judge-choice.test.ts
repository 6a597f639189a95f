import { describe, expect, it } from 'vitest'
import { judgeChoice } from './judge-choice.ts'
import { judgeTrueFalse } from './judge-true-false.ts'

const PLANETS = 'Which planet is nearest to the sun?\nA. Venus\nB. Mercury\nC. Mars'

describe('multiple choice', () => {
  it.each([
    'B',
    'b)',
    '(B)',
    'B. Mercury',
    'Answer: B',
    'mercury',
    '[x] B',
    'It is Mercury',
    'B because it is closest',
  ])('takes “%s” for B', (answer) => {
    expect(judgeChoice(PLANETS, ['B'], answer)).toMatchObject({ share: 1, remarks: ['exact_right'] })
  })

  it.each(['A', 'Venus', 'C) Mars'])('gives “%s” nothing', (answer) => {
    expect(judgeChoice(PLANETS, ['B) Mercury'], answer)).toMatchObject({ share: 0, remarks: ['exact_wrong'] })
  })

  it.each(['A or B', 'A, B', 'Jupiter', '?'])('cannot tell what “%s” means and says so', (answer) => {
    const judged = judgeChoice(PLANETS, ['B'], answer)
    expect(judged).toMatchObject({ share: 0, remarks: ['unclear'] })
    expect(judged.confidence).toBeLessThan(0.6)
  })

  it('wants all letters where the key has several', () => {
    expect(judgeChoice(PLANETS, ['A and C'], 'C, A').share).toBe(1)
    expect(judgeChoice(PLANETS, ['A and C'], 'A').share).toBe(0)
  })
})

describe('true or false', () => {
  it.each([
    ['True', 'T', 1],
    ['True', 'true.', 1],
    ['False', 'False, only plants have one', 1],
    ['False', 'f', 1],
    ['False', 'True', 0],
    ['True', 'not true', 0],
    ['True', 'It is not false', 1],
    ['True', 'That isn’t wrong', 1],
    ['False', 'It isn’t correct', 1],
    ['False', 'untrue', 1],
    ['Yes', 'no', 0],
  ])('key %s, answer “%s”: %d', (key, answer, share) => {
    expect(judgeTrueFalse([key], answer).share).toBe(share)
  })

  it('takes “True / False” left standing for no decision', () => {
    expect(judgeTrueFalse(['True'], 'True / False').remarks).toEqual(['unclear'])
  })
})
