import { describe, expect, it } from 'vitest'
import { ClassSignals } from './class-signals.ts'
import { inverseDocumentFrequencies } from './terms.ts'

const even = () => 1

describe('the class’s signals', () => {
  it('compares an answer with the others, never with itself', () => {
    const signals = new ClassSignals('', ['red apples'], ['violet sky', 'red apples', 'ripe red apples'], even)
    expect(signals.agreementOf(0)).toBe(0)
  })

  it('counts a term of the key the more, the more of the others use it', () => {
    const others = ['gravity', 'gravity', 'gravity', 'gravity']
    const key = ['gravity friction']
    const [usual] = new ClassSignals('', key, ['gravity', ...others], even).coveragesOf(0)
    const [rare] = new ClassSignals('', key, ['friction', ...others], even).coveragesOf(0)
    // The other half is a person's tick for one of two terms.
    expect(usual).toBeCloseTo((0.5 + Math.sqrt(1.05) / (Math.sqrt(1.05) + Math.sqrt(0.05))) / 2)
    expect(rare).toBeCloseTo((0.5 + Math.sqrt(0.05) / (Math.sqrt(1.05) + Math.sqrt(0.05))) / 2)
  })

  it('demotes the question’s own words to a fifth', () => {
    const coverage = (answer: string) =>
      new ClassSignals('Why do bulbs glow?', ['bulbs need current'], [answer], even).coveragesOf(0)[0]
    expect(coverage('bulbs')).toBeCloseTo(0.2 / 2.2)
    expect(coverage('current')).toBeCloseTo(1 / 2.2)
  })

  it('gives words that turn up under every question little weight', () => {
    const idf = inverseDocumentFrequencies([['water flows'], ['water boils'], ['water freezes']])
    expect(idf('water')).toBeCloseTo(Math.log(2))
    expect(idf('boil')).toBeCloseTo(Math.log(4))
  })

  it('matches misspelled words softly', () => {
    const [coverage] = new ClassSignals('', ['chlorophyll'], ['clorofyll'], even).coveragesOf(0)
    expect(coverage).toBeGreaterThan(0.6)
    expect(coverage).toBeLessThan(1)
  })
})
