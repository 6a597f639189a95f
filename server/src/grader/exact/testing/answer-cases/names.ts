import { type AnswerCases, answers } from './answer-case.ts'

export const NAMES: AnswerCases[] = [
  {
    prompt: 'Which element is the alkali metal in period 4?',
    key: 'Potassium',
    right: ['potassium', 'K', 'K (potassium)', 'It is potassium', 'the element K', 'Potassium, K'],
    wrong: ['P', 'sodium', 'Na', 'Kr', 'phosphorus', 'not potassium', 'Ca'],
    open: ['K or Na'],
  },
  {
    prompt: 'Identify element X.',
    key: 'Fe',
    right: ['Fe', 'iron', 'Iron', 'it is iron', 'X = Fe', 'X is iron', 'iron (Fe)'],
    wrong: ['F', 'fluorine', 'copper', 'Cu', 'lead', 'Ir'],
  },
  {
    prompt: 'Which gas turns limewater milky?',
    key: 'Carbon dioxide',
    right: answers`
      carbon dioxide | CO2 | CO₂ | co2 | CO2 gas | It is CO2 | carbon dioxide gas | carbon dioxide (CO2)
    `,
    wrong: ['CO', 'carbon monoxide', 'O2', 'oxygen', 'hydrogen', 'SO2', 'C2O'],
  },
  {
    prompt: 'Which symbol is used for wavelength?',
    key: 'λ',
    right: ['λ', 'lambda', 'Lambda'],
    wrong: ['μ', 'mu', 'theta', 'w'],
  },
  {
    prompt: 'Which king built the palace?',
    key: 'Louis XIV',
    right: ['Louis XIV', 'Louis 14', 'Louis the 14th', 'King Louis XIV', 'Louis the Fourteenth'],
    wrong: ['Louis XVI', 'Louis 16', 'Charles IV', 'Louis XV'],
  },
  {
    prompt: 'In which century was the castle built?',
    key: '12th century',
    right: ['12th century', 'twelfth century', 'the 12th', 'twelfth', 'XII century', '12th c.'],
    wrong: ['13th century', '11th century', 'XIII century'],
  },
  {
    prompt: 'Which gas do plants take in to make glucose, and which do they give out?',
    key: 'They take in carbon dioxide and give out oxygen.',
    right: ['They take in CO2 and give out O2.', 'take in CO2 and give out O2', 'They take in CO₂ and give out oxygen'],
    partial: [['CO2', 0, 0.8]],
  },
]
