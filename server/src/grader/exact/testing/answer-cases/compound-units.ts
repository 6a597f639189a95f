import { type AnswerCases, answers } from './answer-case.ts'

export const COMPOUND_UNITS: AnswerCases[] = [
  {
    prompt: 'How many apples are left?',
    key: '12 apples',
    right: answers`
      12 | 12 apples | twelve | twelve apples | There are 12 apples left | a dozen | 12 left | There are 12 left.
    `,
    wrong: ['13', '21 apples', '-12', '1.2'],
    partial: [['12 pears', 0, 0.8]],
  },
  {
    prompt: 'What is the rate of production?',
    key: '15 widgets/hour',
    right: ['15 widgets/hour', '15 widgets per hour', '15 widgets/h', '15 widgets an hour'],
    wrong: ['51 widgets/hour'],
    partial: [
      ['15', 0.4, 0.9],
      ['15 widgets/day', 0, 0.75],
      ['15 gizmos/hour', 0, 0.75],
    ],
  },
  {
    prompt: 'Convert 3 kg to grams.',
    key: '3000 g',
    right: ['3000 g', '3000', '3,000 grams', '3000g', '3 kg = 3000 g'],
    wrong: ['300 g', '30000 g', '0.003 g', '3 g'],
    partial: [['3 kg', 0, 0.5]],
  },
  {
    prompt: 'Calculate the force.',
    key: '25 N',
    right: answers`
      25 N | 25 newtons | 25 Newton | 25 kg m/s² | 25 kg m s^-2 | 0.025 kN | F = ma = 5 × 5 = 25 N | F = 25N
      5 × 5 = 25 N | Force = 25 N downwards
    `,
    wrong: ['25.5 N', '52 N', '-25 N', '5 × 5 = 20 N', '5 N', '< 25 N', '25 kN'],
    partial: [
      ['25', 0.5, 0.9],
      ['25 J', 0.1, 0.75],
      ['25 n', 0.4, 1],
      ['25 kg', 0.1, 0.75],
    ],
    open: ['25 N or 30 N', '25 foo'],
  },
  {
    prompt: 'What is the concentration?',
    key: '0.25 mol/dm³',
    right: answers`
      0.25 mol/dm³ | 0.25 mol dm⁻³ | 0.25 mol dm^-3 | 0.25 M | 0.25 mol/L | 0.25 moles per litre | 250 mmol/L
      0.250 mol/l
    `,
    wrong: ['0.52 mol/dm³', '2.5 mol/dm³', '0.025 M'],
    partial: [
      ['0.25', 0.5, 0.9],
      ['0.25 mol', 0.1, 0.75],
    ],
  },
]
