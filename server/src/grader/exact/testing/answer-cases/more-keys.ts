import type { AnswerCases } from './answer-case.ts'

/** Written after the second look had been put right. */
export const MORE_KEYS: AnswerCases[] = [
  {
    prompt: 'What is the gradient of the line?',
    key: '-2/3',
    right: ['-2/3', '−2/3', '-⅔', 'm = -2/3', 'minus two thirds', '-0.667', 'gradient = -2/3'],
    wrong: ['2/3', '-3/2', '3/2', '-2', '-0.3'],
  },
  {
    prompt: 'What is the electric field strength unit value?',
    key: '200 N/C',
    right: ['200 N/C', '200 N C⁻¹', '200 V/m', '200 newtons per coulomb'],
    wrong: ['20 N/C', '200 000 N/C'],
    partial: [
      ['200 N', 0.1, 0.75],
      ['200', 0.4, 0.9],
    ],
  },
  {
    prompt: 'State the equation for density.',
    key: 'ρ = m/V',
    right: ['ρ = m/V', 'density = mass/volume', 'm = ρV', 'ρ = m ÷ V', 'rho = m/V', 'mass / volume'],
    wrong: ['ρ = mV', 'ρ = V/m', 'density = volume / mass', 'm = V/ρ'],
    open: ['d = m/v'],
  },
  {
    prompt: 'Which ion has charge two plus? Give its symbol.',
    key: 'Ca2+',
    right: ['Ca2+', 'Ca²⁺', 'Ca^2+', 'Ca+2', 'Ca++', 'calcium ion, Ca²⁺'],
    wrong: ['Ca+', 'Ca2-', 'Cl-', 'Na+'],
    partial: [['Ca', 0, 0.6]],
  },
  {
    prompt: 'Which gas is given off?\nA  oxygen\nB  carbon dioxide\nC  nitrogen',
    key: 'B',
    right: [
      'B',
      'carbon dioxide',
      'b carbon dioxide',
      'B  carbon dioxide',
      'Carbon Dioxide.',
      'its B',
      'The gas is carbon dioxide',
    ],
    wrong: ['oxygen', 'C', 'A oxygen', 'not B'],
    open: ['B or C', 'carbon'],
  },
  {
    prompt: 'Spiders are insects. True or false?',
    key: 'False',
    right: [
      'False',
      'F',
      'false, they are arachnids',
      'not true',
      'No',
      'no, spiders are arachnids',
      'They are not',
      'Wrong',
      'it’s false',
    ],
    wrong: ['True', 'yes', 'T', 'It is true', 'they are', 'correct', 'not sure really, true? false?'],
    open: ['true or false'],
  },
  {
    prompt: 'Give the vector product.',
    key: '3i + 2j - k',
    right: ['3i + 2j - k', '3i+2j-k', '2j + 3i - k'],
    wrong: ['3i - 2j - k', '2i + 3j - k', '3i + 2j + k', '3'],
  },
]
