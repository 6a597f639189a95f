import { type AnswerCases, answers } from './answer-case.ts'

export const CHEMISTRY: AnswerCases[] = [
  { prompt: 'Write the formula of the sulfate ion.', key: 'SO4^2-', right: ['SO₄²⁻'] },
  { prompt: 'Write the formula of calcium hydroxide.', key: 'Ca(OH)2', right: ['Ca(OH)₂'] },
  { prompt: 'Write the formula of cobalt(III) oxide.', key: 'Co2O3', wrong: ['CO2O3'] },
  {
    prompt: 'Write the formula of sulfuric acid.',
    key: 'H2SO4',
    right: answers`
      H2SO4 | H₂SO₄ | H_2SO_4 | H2 SO4 | H₂SO₄(aq) | It is H2SO4 | $\mathrm{H_2SO_4}$ | H2SO4. | \ce{H2SO4}
      formula: H2SO4
    `,
    wrong: ['H2SO3', 'HSO4', 'H2S', 'HCl', 'H2SO4^2-', '2H2SO4', 'H4SO2', 'SO4', 'Na2SO4'],
    partial: [
      ['h2so4', 0, 1],
      ['H2So4', 0, 1],
      ['H²SO⁴', 0, 1],
    ],
  },
  {
    prompt: 'Balance the equation for the combustion of methane.',
    key: 'CH4 + 2O2 → CO2 + 2H2O',
    right: answers`
      CH4 + 2O2 → CO2 + 2H2O | CH₄ + 2O₂ → CO₂ + 2H₂O | CH4 + 2 O2 -> 2 H2O + CO2 | 2O2 + CH4 = CO2 + 2H2O
      CH4+2O2=>CO2+2H2O | 2CH4 + 4O2 → 2CO2 + 4H2O | CH4(g) + 2O2(g) → CO2(g) + 2H2O(l) | CH4 + 2O2 --> CO2 + 2H2O
      $CH_4 + 2O_2 \rightarrow CO_2 + 2H_2O$ | CH4 + 2O2 ⟶ CO2 + 2H2O
    `,
    wrong: ['CO2 + 2H2O → CH4 + 2O2', 'CH4 + 2O2 → CO + 2H2O', 'C + O2 → CO2', 'CH4', 'CH4 + 2O2'],
    partial: [
      ['CH4 + O2 → CO2 + H2O', 0.1, 0.75],
      ['CH4 + 2O2 → CO2 + H2O', 0.1, 0.75],
      ['ch4 + 2o2 → co2 + 2h2o', 0, 1],
    ],
  },
  {
    prompt: 'Give the electron configuration of sodium.',
    key: '2,8,1',
    right: ['2,8,1', '2.8.1', '2, 8, 1', '2-8-1', '2 8 1', '(2,8,1)'],
    wrong: ['2,8,2', '2,1,8', '281', '8,2,1', '2,8', '2,8,1,1'],
  },
]
