import type { DemoAssignment } from './demo-course.ts'
import { physicsQuiz } from './demo-physics.ts'

const [law, vector, rest, speed, energy] = physicsQuiz.questions

/** To 01.4, 01.5 and 02.2, which the quiz does not ask. */
const moreAnswers: Record<string, [force: string, unit: string, weight: string]> = {
  mjohansson: ['30 - 12 = 18 N', 'B', '1200 x 9.8 = 11760 N'],
  dokafor: ['18 N', 'B', '11760 N'],
  lchen: ['18 N to the right', 'B', '11 760 N'],
  tbaker: ['42 N', 'A', '122'],
  sahmadi: ['18 N', 'B', '11.76 kN'],
  rpatel: ['18 N', 'B', '11760 N'],
  egarcia: ['18', 'B', '1200 N'],
  jkowalski: ['42 N', 'B', '11760 N'],
  aosei: ['18 N', 'B', '11760 N'],
  nmurphy: ['18 N', 'B', '11760 N'],
  hsato: ['18 N', 'B', '1200 x 9.8 = 11760 N'],
  psilva: ['12 N', 'D', '1200'],
  cdubois: ['18 N', 'B', '11 760 N'],
  wjones: ['18 N', 'C', '11760'],
}

/** The second assignment of the demo: the physics quiz as an exam board would print it, with a mark scheme for its key. */
export const forcesExam: DemoAssignment = {
  ...physicsQuiz,
  layout: 'board',
  instructions: 'Answer all questions. Show your working where there is something to calculate.',
  questions: [
    {
      ...required(law),
      number: '01.1',
      points: 2,
      scheme: ['an object stays at rest or keeps moving at constant velocity', 'unless a resultant force acts on it'],
      guidance: 'allow constant speed in a straight line for constant velocity; allow unbalanced force',
    },
    {
      ...required(vector),
      number: '01.2',
      points: 1,
      prompt: 'Which of these quantities is a vector? Write the letter on the line.',
      scheme: ['C'],
      guidance: 'more than one letter scores 0',
    },
    { ...required(rest), number: '01.3', points: 1, scheme: ['False'] },
    {
      number: '01.4',
      prompt: 'A box is pulled to the right with 30 N and to the left with 12 N. What is the resultant force?',
      points: 1,
      lines: 1,
      answer: '18 N',
      scheme: ['18 N'],
      guidance: 'allow 18 N to the right',
    },
    {
      number: '01.5',
      prompt: 'Which unit is force measured in? Write the letter on the line.',
      points: 1,
      lines: 1,
      choices: ['Joule', 'Newton', 'Pascal', 'Watt'],
      answer: 'Newton',
      scheme: ['B'],
    },
    {
      ...required(speed),
      number: '02.1',
      points: 2,
      prompt: 'A car drives 150 m in 12 s at a steady speed. Calculate its speed.',
      scheme: ['150 / 12', '12.5 m/s'],
      guidance: 'an answer of 12.5 m/s scores 2 marks; allow 45 km/h',
    },
    {
      number: '02.2',
      prompt: 'The car has a mass of 1200 kg. Calculate its weight. Use g = 9.8 N/kg.',
      points: 2,
      lines: 2,
      answer: '11760 N',
      scheme: ['1200 × 9.8', '11760 N'],
      guidance: 'an answer of 11760 N scores 2 marks',
    },
    {
      ...required(energy),
      number: '02.3',
      points: 3,
      scheme: [
        'at the top the ball has gravitational potential energy',
        'potential energy is changed into kinetic energy as it falls',
        'some energy is lost as heat to the air',
      ],
      guidance: 'allow air resistance for the third mark; do not accept energy is used up',
    },
  ],
  papers: physicsQuiz.papers.map((paper) => {
    const [first, second, third, fourth, last] = paper.answers
    const [force, unit, weight] = moreAnswers[paper.username] ?? []
    const answers = [first, second, third, force, unit, fourth, weight, last]
    return { ...paper, answers: answers.map(required) }
  }),
}

function required<T>(question: T | undefined): T {
  if (question === undefined)
    throw new Error('The physics quiz has five questions, and each student has answered the others too.')
  return question
}
