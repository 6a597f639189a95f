import { describe, expect, it } from 'vitest'
import { isCopiedKey, isKeywordList, isRepeatedPrompt } from './keyword-stuffing.ts'

const key =
  'Photosynthesis is the process by which plants use light energy to turn carbon dioxide and water into glucose and oxygen. It happens in the chloroplasts.'

describe('the key’s words without an answer', () => {
  it.each([
    'process plants light energy carbon dioxide water glucose oxygen chloroplasts',
    'light, energy, carbon dioxide, water, glucose, oxygen, chloroplasts, plants, process',
    'the light and the energy and the carbon and the dioxide and the water and the glucose and the oxygen',
    'photosynthesis chloroplasts glucose '.repeat(7),
    'chloroplasts the in happens It oxygen and glucose into water and dioxide carbon turn to energy light use plants which by process the is Photosynthesis',
    'starch photosynthesis light respiration glucose sugar stored dark leaf oxygen water energy cell chloroplast mass',
  ])('are a list: “%s”', (answer) => {
    expect(isKeywordList(answer, key)).toBe(true)
  })

  it.each([
    'Plants use light energy to turn carbon dioxide and water into glucose and oxygen.',
    'Photosynthesis: carbon dioxide + water -> glucose + oxygen, with light energy absorbed by chlorophyll in the chloroplasts.',
    'In the chloroplasts, by which plants turn water and carbon dioxide into oxygen and glucose, using the energy of the light.',
    'light and water',
    'Uses sunlight, makes glucose, happens in chloroplasts.',
  ])('are none where somebody says something: “%s”', (answer) => {
    expect(isKeywordList(answer, key)).toBe(false)
  })
})

describe('the key itself', () => {
  it.each([
    key,
    `I know that ${key}`,
    key.replace('is the process', 'is not the process').replace('It happens', 'It never happens'),
  ])('is known again: “%s”', (answer) => {
    expect(isCopiedKey(answer, key)).toBe(true)
  })

  it('is not seen in a good answer of one’s own, nor in a short key', () => {
    const own =
      'Plants use light energy to make glucose out of water and carbon dioxide, and oxygen is given off. It happens in the chloroplasts of the leaf.'
    expect(isCopiedKey(own, key)).toBe(false)
    expect(isCopiedKey('The mitochondrion releases it.', 'The mitochondrion releases it.')).toBe(false)
  })
})

describe('the question’s words without an answer', () => {
  const prompt = 'Why are most leaves flat and thin?'
  const leaves = ['To take in more light, and so that gases need not go far.']

  it.each([
    'Why are most leaves flat and thin?',
    'Why are most leaves flat and thin? Why are most leaves flat and thin? Leaves are flat and thin.',
  ])('are recognised: %s', (answer) => expect(isRepeatedPrompt(answer, prompt, leaves)).toBe(true))

  it.each([
    ['an answer after them', 'Most leaves flat and thin take in more light', prompt, leaves],
    ['an answer of few words', 'flat and thin', prompt, leaves],
    [
      'a number after them',
      'The boiling point of water in Celsius is 100',
      'What is the boiling point of water in Celsius?',
      ['100'],
    ],
    [
      'a quotation',
      'The old man went down to the sea alone',
      'Read: “The old man went down to the sea alone. It was dark.” Which sentence shows it?',
      ['The old man went down to the sea alone'],
    ],
    ['another reason', 'Most leaves are flat and thin since they float', prompt, leaves],
  ])('are not taken for it: %s', (_, answer, asked, keys) => expect(isRepeatedPrompt(answer, asked, keys)).toBe(false))
})
