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

it('is not sure of a chemical formula where only the case of letters is wrong', () => {
  expect(judgeFormula('Write the chemical formula.', ['CO2'], 'co2')).toMatchObject({ remarks: ['unclear'] })
})
