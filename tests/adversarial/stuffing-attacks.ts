import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import type { Attack } from './attack.ts'
import { type ControlPaper, drawControlPaper, expectedAnswerOf, withAnswer } from './control-paper.ts'

const shuffled = (text: string, seed = 1) => {
  const random = seededRandom(seed)
  return text
    .split(/\s+/)
    .map((word) => ({ word, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ word }) => word)
    .join(' ')
}
const prompt = (question: number) => biologyQuiz.questions[question]?.prompt ?? ''

const written: [string, number, string][] = [
  ['list of the key’s words', 0, 'process plants light energy carbon dioxide water glucose oxygen chloroplasts'],
  ['list with commas', 0, 'light, energy, carbon dioxide, water, glucose, oxygen, chloroplasts, plants, process'],
  [
    'list with small words between',
    0,
    'the light and the energy and the carbon and the dioxide and the water and the glucose and the oxygen and the chloroplasts',
  ],
  ['one word over and over', 0, `${'photosynthesis chloroplasts glucose '.repeat(7)}`],
  ['the key word for word', 0, expectedAnswerOf(0)],
  ['the key of another question too', 4, expectedAnswerOf(4)],
  ['the key shuffled', 0, shuffled(expectedAnswerOf(0))],
  ['the key backwards', 4, expectedAnswerOf(4).replace(/[.,]/g, '').split(' ').reverse().join(' ')],
  [
    'the key turned round',
    0,
    expectedAnswerOf(0).replace(' is the process', ' is not the process').replace('It happens', 'It never happens'),
  ],
  [
    'the key denied',
    4,
    `It is not true that ${expectedAnswerOf(4).charAt(0).toLowerCase()}${expectedAnswerOf(4).slice(1)}`,
  ],
  ['the question repeated', 4, prompt(4)],
  ['the question repeated twice', 1, `${prompt(1)} ${prompt(1)} Leaves are flat and thin.`],
  [
    'a salad of the class’s words',
    4,
    'starch photosynthesis light respiration glucose sugar stored dark leaf oxygen water energy cell chloroplast mass',
  ],
  ['both ways at once', 3, 'True. False.'],
  ['every choice', 2, 'A B C D'],
  ['many numbers', 5, '5 50 500 5000 0.002 1.25'],
]

const question = (at: number, text: string) => (control: ControlPaper) =>
  drawControlPaper(withAnswer(control, at, text))

export const stuffingAttacks: Attack[] = [
  ...written.map(([name, at, text]) => ({ family: 'stuffing and copying', name, create: question(at, text) })),
  {
    family: 'wrong places',
    name: 'the answer to 5 in the place of 2',
    create: question(1, expectedAnswerOf(4)),
  },
  {
    family: 'wrong places',
    name: 'every choice for another question, in the place of 1',
    create: question(0, 'Plants grow.\nQ3: A\nQ3: B C D\nQ4: True False'),
  },
  {
    family: 'wrong places',
    name: 'the answer to 1 in the place of 5',
    create: question(4, expectedAnswerOf(0)),
  },
]
