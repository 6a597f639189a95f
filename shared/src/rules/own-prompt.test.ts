import { expect, it } from 'vitest'
import { ownPrompts } from './own-prompt.ts'

it('leaves out the stem that parts share, and options to choose from', () => {
  const stem = 'A car travels along a level road.\nIts speed increases steadily.'
  expect(
    ownPrompts([
      `${stem}\nWhich one of these\nis a vector?\nA. mass\nB. velocity`,
      `${stem}\nCalculate the acceleration.`,
      'State Hooke’s law.',
    ]),
  ).toEqual(['Which one of these is a vector?', 'Calculate the acceleration.', 'State Hooke’s law.'])
})

it('leaves something of each', () => {
  expect(ownPrompts(['Explain.\nUse words.', 'Explain.\nUse words.', ''])).toEqual(['Use words.', 'Use words.', ''])
  expect(ownPrompts([])).toEqual([])
})
