import { type AnswerCases, answers } from './answer-case.ts'

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
    right: answers`
      B | carbon dioxide | b carbon dioxide | B  carbon dioxide | Carbon Dioxide. | its B | The gas is carbon dioxide
    `,
    wrong: ['oxygen', 'C', 'A oxygen', 'not B'],
    open: ['B or C', 'carbon'],
  },
  {
    prompt: 'Spiders are insects. True or false?',
    key: 'False',
    right: answers`
      False | F | false, they are arachnids | not true | No | no, spiders are arachnids | They are not | Wrong
      it’s false
    `,
    wrong: ['True', 'yes', 'T', 'It is true', 'they are', 'correct', 'not sure really, true? false?'],
    open: ['true or false'],
  },
  {
    prompt: 'Give the vector product.',
    key: '3i + 2j - k',
    right: ['3i + 2j - k', '3i+2j-k', '2j + 3i - k'],
    wrong: ['3i - 2j - k', '2i + 3j - k', '3i + 2j + k', '3'],
  },
  {
    prompt: 'When did it begin?',
    key: '1939',
    right: ['1939, the USA joined in 1941'],
    wrong: ['1941, 2 years after 1939'],
  },
  { prompt: 'Solve 3x − 4 > 5.', key: 'x > 3', right: ['3x > 9, x > 3'], wrong: ['3x > 9, x < 3'] },
  { prompt: 'State the law.', key: 'V = IR', right: ['voltage is current times resistance'], wrong: ['U = I : R'] },
  {
    prompt: 'Define density.',
    key: 'ρ = m/V',
    right: ['mass per unit of volume', 'ro = m : V'],
    wrong: ['ro = V : m'],
  },
  { prompt: 'Write GDP.', key: 'Y = C + I + G + (X − M)', right: ['C+I+G+NX'], wrong: ['C + I + G + M - X'] },
  {
    prompt: 'Write the word equation.',
    key: 'glucose + oxygen → carbon dioxide + water',
    right: ['O2 + glucose -> water + CO2', 'glucose and oxygen make carbon dioxide and water (+ energy)'],
    wrong: ['carbon dioxide + water → glucose + oxygen', 'glucose → ethanol + carbon dioxide'],
  },
  { prompt: 'Give the IUPAC name.', key: 'propan-2-ol', right: ['2-propanol'], wrong: ['1-propanol', 'propane'] },
  { prompt: 'Who led it?', key: 'Nikita Khrushchev', right: ['Chruschtschow'], wrong: ['Gorbatschow'] },
  { prompt: 'Give the plural.', key: 'die Bücher', right: ['die Buecher'], partial: [['die Bucher', 0, 0.5]] },
  { prompt: 'Negate ∃x P(x).', key: '∀x ¬P(x)', right: ['for all x not P(x)'], wrong: ['∀x P(x)', '∃x ¬P(x)'] },
  {
    prompt: 'Name its parts',
    key: '3 protons and 4 neutrons',
    right: ['3 p+, 4 n0'],
    wrong: ['4 protons, 3 neutrons'],
  },
  { prompt: 'Translate: I am hungry.', key: 'Ich habe Hunger.', partial: [['Ich bin Hunger', 0.25, 0.5]] },
  {
    prompt: 'How is speed defined?',
    key: 'distance divided by time',
    right: ['v = s/t', 'd/t', 'the distance travelled per unit of time'],
    wrong: ['time over distance', 'distance times time'],
  },
  {
    prompt: 'Balance: ...Mg + ...O₂ → ...MgO. Give the coefficients in order.',
    key: '2, 1, 2',
    right: ['2Mg + O2 -> 2MgO', '2-1-2'],
    wrong: ['1, 2, 2', 'Mg + O2 -> MgO'],
    partial: [['4, 2, 4', 0.2, 0.6]],
  },
  {
    prompt: 'Give the arrangement of electrons in the shells of sodium.',
    key: '2.8.1',
    right: ['2-8-1', 'K: 2, L: 8, M: 1'],
    wrong: ['2.1.8'],
  },
  {
    prompt: 'Who began the Reformation in Germany?',
    key: 'Martin Luther',
    right: ['Luther', 'M. Luther'],
    wrong: ['Martin Luther King'],
  },
  {
    prompt: 'Find the circumference of a circle of radius 6 cm.',
    key: '12π cm ≈ 37.7 cm',
    right: ['12π cm', '12 pi cm', '37.7 cm', 'C = 2πr = 2 × π × 6 = 37.7 cm'],
    wrong: ['36π cm', '38.7 cm'],
  },
  {
    prompt: 'Add the two matrices.',
    key: '[[8, 11], [6, 15]]',
    right: ['first row: 8 and 11, second row: 6 and 15'],
    wrong: ['first row: 8 and 6, second row: 11 and 15'],
  },
]
