import { describe, expect, it } from 'vitest'
import { ClassSignals } from './class-signals.ts'
import { matchedTerms } from './phrase-match.ts'
import { stemOf, synonymsOf, termsOf } from './terms.ts'

const plainOf = (key: string, answer: string) => new ClassSignals('', [key], [answer], () => 1).coveragesOf(0)[0] ?? 0

describe('words that say the same', () => {
  it.each([
    ['the ice froze', 'ice freezes'],
    ['bigger leaves grew', 'big leaves grow'],
    ['two teeth', '2 tooth'],
  ])('are the same terms in other forms: “%s”, “%s”', (one, other) => {
    expect(termsOf(one)).toEqual(termsOf(other))
  })

  it('leaves words alone that only look like a comparative or a form', () => {
    expect(termsOf('water, flower, left, need')).toEqual(['water', 'flower', 'left', 'need'].map(stemOf))
  })

  it('tells up from down', () => {
    expect(plainOf('it goes up', 'it goes down')).toBeLessThan(plainOf('it goes up', 'it goes up'))
  })

  it('count nearly as the key’s where they are everyday synonyms', () => {
    expect(plainOf('rapid', 'quick')).toBeCloseTo(0.7)
    expect(plainOf('rapid', 'rapid')).toBe(1)
    expect(plainOf('rapid', 'green')).toBe(0)
    expect(plainOf('large', 'bigger')).toBeCloseTo(0.7)
  })

  it('do not merge the terms of a subject', () => {
    expect(synonymsOf(stemOf('velocity'))).not.toContain(stemOf('speed'))
    expect(synonymsOf(stemOf('force'))).not.toContain(stemOf('power'))
    expect(synonymsOf(stemOf('mass'))).not.toContain(stemOf('weight'))
  })

  it('are synonyms both ways, and never of themselves', () => {
    expect(synonymsOf(stemOf('rapid'))).toContain(stemOf('quick'))
    expect(synonymsOf(stemOf('quick'))).toContain(stemOf('rapid'))
    expect(synonymsOf(stemOf('quick'))).not.toContain(stemOf('quick'))
  })

  it('are not named as the student’s own', () => {
    expect(matchedTerms(['A rapid chlorophyll'], 'quick', '', () => 1)).toEqual([])
  })
})

describe('the better part of a class', () => {
  it('is detected by all three signals, not by the key’s words alone', () => {
    const first = ['sun wind', 'pulls', 'pulls', 'boats', 'pulls']
    const answers = [...first, 'moon sun wind boats', 'moon', 'tide sun wind boats']
    const signals = new ClassSignals('', ['moon pulls tide'], answers, () => 1)
    // By the key's words alone the wordy ones are the better half, and “sun wind”, which they add, would count.
    expect(signals.agreementOf(0)).toBe(0)
  })
})
