import { describe, expect, it } from 'vitest'
import { judgeChoice } from './judge-choice.ts'

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

  it('tells options without letters by all that is printed, also a sign or a single letter', () => {
    const share = (options: string[], key: string, answer: string) =>
      judgeChoice(['Which is it?', ...options.map((one) => `○ ${one}`)].join('\n'), [key], answer).share
    expect(share(['1', '-1', '7'], '-1', '1')).toBe(0)
    expect(share(['1', '-1', '7'], '-1', '-1')).toBe(1)
    expect(share(['Z', 'E', 'R', 'I', 'Y'], 'E', 'Y')).toBe(0)
  })

  it.each(['A or B', 'A, B', 'Jupiter', '?'])('cannot tell what “%s” means and says so', (answer) => {
    const judged = judgeChoice(PLANETS, ['B'], answer)
    expect(judged).toMatchObject({ share: 0, remarks: ['unclear'] })
    expect(judged.confidence).toBeLessThan(0.6)
  })
})
