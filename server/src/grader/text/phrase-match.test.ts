import { describe, expect, it } from 'vitest'
import { commonStems, containsPhrase, phraseVariants } from './phrase-match.ts'

const POOL = [
  'a rise in rents',
  'a fall in the price of a rival such as the bus',
  'noise or dirt',
  'poor lighting (glare)',
]
const common = commonStems(POOL, 'Why do people stop taking the tram?')

describe('a phrase in other words', () => {
  it.each([
    [0, 'rents go up', true],
    [0, 'higher rent', true],
    [0, 'rents go down', false],
    [0, 'no rise in rents', false],
    [1, 'the bus got cheaper', true],
    [1, 'lower price of the rival', true],
    [1, 'the price of the tram fell', false],
    [2, 'it is too noisy', true],
    [2, 'dirt on the seats', true],
    [3, 'glare', true],
    [3, 'people stop taking the tram', false],
  ])('member %d, “%s”: %s', (at, text, said) => {
    expect(containsPhrase(POOL[at] ?? '', text, common)).toBe(said)
  })

  it('is any of its ways to say it, but not what it rules out', () => {
    expect(phraseVariants('rust (corrosion) or decay, such as rotting wood')).toEqual([
      'rust',
      'decay',
      'corrosion',
      'rotting wood',
    ])
    expect(phraseVariants('ring of DNA (not nucleus)')).toEqual(['ring of DNA'])
  })
})
