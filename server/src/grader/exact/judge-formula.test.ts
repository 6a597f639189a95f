import { describe, expect, it } from 'vitest'
import { judgeFormula } from './judge-formula.ts'

const share = (key: string, answer: string, prompt = 'Give the formula.') => judgeFormula(prompt, [key], answer).share

describe('formulas', () => {
  it('says that it is unclear where no formula can be made out', () => {
    expect(judgeFormula('', ['E = mc^2'], 'energy is a lot of mass, really?').remarks).toEqual(['unclear'])
  })

  it('bears what is no formula at all', () => {
    for (const text of [
      '('.repeat(500),
      '^'.repeat(90),
      `${'-'.repeat(150)}x`,
      'x'.repeat(3000),
      '\\frac{',
      '9'.repeat(190),
    ])
      expect(share('x + 1', text)).toBe(0)
  })
})

describe('chemistry', () => {
  const ASKED = 'Write the chemical formula.'
  it.each([
    ['H2O', 'H₂O', 1],
    ['H2O', 'H_2O', 1],
    ['CO2', 'CO₂', 1],
    ['SO4^2-', 'SO₄²⁻', 1],
    ['Ca(OH)2', 'Ca(OH)₂', 1],
    ['2H2 + O2 → 2H2O', 'O2 + 2 H2 -> 2 H2O', 1],
    ['2H2 + O2 → 2H2O', '2H₂(g) + O₂(g) → 2H₂O(l)', 1],
    ['2H2 + O2 → 2H2O', '4H2 + 2O2 → 4H2O', 1],
    ['2H2 + O2 → 2H2O', 'H2 + O2 → H2O', 0.4],
    ['2H2 + O2 → 2H2O', '2H2O → 2H2 + O2', 0],
    ['Co2O3', 'CO2O3', 0.25],
    ['H2O', 'h2o', 0.5],
    ['H2O', 'H2O2', 0],
    ['NaCl', 'KCl', 0],
  ])('%s, answered “%s”, earns %f', (key, answer, earned) => {
    expect(share(key, answer, ASKED)).toBe(earned)
  })

  it('is not sure where only the case of letters is wrong', () => {
    expect(judgeFormula(ASKED, ['CO2'], 'co2')).toMatchObject({ remarks: ['unclear'] })
  })
})
