import { describe, expect, it } from 'vitest'
import { ClassSignals } from './class-signals.ts'
import { inverseDocumentFrequencies } from './terms.ts'

const even = () => 1

describe('the class’s signals', () => {
  it('compares an answer with the others, never with itself', () => {
    const signals = new ClassSignals('', ['red apples'], ['violet sky', 'red apples', 'ripe red apples'], even)
    expect(signals.signalsOf(0)).toMatchObject({ reference: 0, vocabulary: 0, centroid: 0, mean: 0 })
  })

  it('counts a term of the key the more, the more of the others use it', () => {
    const others = ['gravity', 'gravity', 'gravity', 'gravity']
    const key = ['gravity friction']
    const usual = new ClassSignals('', key, ['gravity', ...others], even).signalsOf(0)
    const rare = new ClassSignals('', key, ['friction', ...others], even).signalsOf(0)
    expect(usual.reference).toBeCloseTo(Math.sqrt(1.05) / (Math.sqrt(1.05) + Math.sqrt(0.05)))
    expect(rare.reference).toBeCloseTo(Math.sqrt(0.05) / (Math.sqrt(1.05) + Math.sqrt(0.05)))
  })

  it('demotes the question’s own words to a fifth', () => {
    const signals = new ClassSignals('Why do bulbs glow?', ['bulbs need current'], ['bulbs', 'current'], even)
    const [asked, fresh] = [signals.signalsOf(0).keyCoverage, signals.signalsOf(1).keyCoverage]
    expect(asked).toBeCloseTo(0.2 / 2.2)
    expect(fresh).toBeCloseTo(1 / 2.2)
  })

  it('gives words that turn up under every question little weight', () => {
    const idf = inverseDocumentFrequencies([['water flows'], ['water boils'], ['water freezes']])
    expect(idf('water')).toBeCloseTo(Math.log(2))
    expect(idf('boil')).toBeCloseTo(Math.log(4))
  })

  it('matches misspelled words softly', () => {
    const signals = new ClassSignals('', ['chlorophyll'], ['clorofyll'], even).signalsOf(0)
    expect(signals.keyCoverage).toBeGreaterThan(0.6)
    expect(signals.keyCoverage).toBeLessThan(1)
  })
})
