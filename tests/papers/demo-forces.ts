import type { DemoAssignment } from './demo-course.ts'
import { physicsQuiz } from './demo-physics.ts'

const [law, vector, rest, speed, energy] = physicsQuiz.questions

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
      ...required(speed),
      number: '02.1',
      points: 2,
      prompt: 'A car drives 150 m in 12 s at a steady speed. Calculate its speed.',
      scheme: ['150 / 12', '12.5 m/s'],
      guidance: 'an answer of 12.5 m/s scores 2 marks; allow 45 km/h',
    },
    {
      ...required(energy),
      number: '02.2',
      points: 4,
      scheme: [
        'at the top the ball has gravitational potential energy',
        'potential energy is changed into kinetic energy as it falls',
        'some energy is lost as heat to the air',
        'just before it lands nearly all of it is kinetic',
      ],
      guidance: 'allow air resistance for the third mark; do not accept energy is used up',
    },
  ],
}

function required<T>(question: T | undefined): T {
  if (question === undefined) throw new Error('The physics quiz has five questions.')
  return question
}
