import { describe, expect, it } from 'vitest'
import { judgeChoice, judgeNumber, judgeTrueFalse } from './exact-answers.ts'

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

describe('numbers', () => {
  it.each([
    ['80 km/h', 1],
    ['v = 120 / 1.5 = 80 km/h', 1],
    ['The answer is 80 km per hour', 1],
    ['22.2 m/s', 1],
    ['80', 0.75],
    ['80 kg', 0.5],
    ['90 km/h', 0],
  ])('“%s” earns %d', (answer, share) => {
    expect(judgeNumber('How fast is it?', ['80 km/h'], answer).share).toBe(share)
  })

  it('does not want a unit the question already names', () => {
    expect(judgeNumber('How fast is it in km/h?', ['80 km/h'], '80').share).toBe(1)
  })

  it('is unclear where right and wrong numbers are side by side', () => {
    const judged = judgeNumber('How fast?', ['80 km/h'], '80 or 60 or 40 km/h')
    expect(judged.remarks).toEqual(['unclear'])
    expect(judged.confidence).toBeLessThan(0.6)
  })

  it.each([
    ['0.25', '25 %', 1],
    ['25 %', '0.25', 1],
    ['1.5', '1 1/2', 1],
    ['1.5', '1½', 1],
    ['1/2', '\\frac{1}{2}', 1],
    ['0.5', '½', 1],
    ['3 × 10^8 m/s', '3 \\times 10^{8} m/s', 1],
    ['3 × 10^8 m/s', '300000 km/s', 1],
    ['6.02e23', '6.02 × 10²³', 1],
    ['9.7 to 9.9', '9.8', 1],
    ['9.7 to 9.9', '9.6', 0],
    ['-4', '−4', 1],
    ['-4', '4', 0],
  ])('key %s, answer “%s”: %f', (key, answer, share) => {
    expect(judgeNumber('How much?', [key], answer).share).toBe(share)
  })

  it('takes any of the accepted answers', () => {
    expect(judgeNumber('How fast?', ['12.5 m/s', '45 km/h'], '45 km/h').share).toBe(1)
  })
})
