import { type AnswerCases, answers } from './answer-case.ts'

export const STRUCTURES: AnswerCases[] = [
  {
    prompt: 'Where do the lines cross?',
    key: '(3, 2)',
    right: answers`
      (3, 2) | (3,2) | 3, 2 | x = 3, y = 2 | x=3 and y=2 | ( 3 ; 2 ) | The lines cross at (3, 2) | (3.0, 2.0)
      at (3,2) | P(3|2) | (6/2, 2) | y = 2, x = 3
    `,
    wrong: ['(2, 3)', '(3, -2)', '(-3, 2)', '(3, 2, 1)', '3', 'x = 2, y = 3', '(32)', '(3, 20)', 'not (3, 2)'],
    partial: [['x = 3', 0, 0.6]],
    open: ['(3, 2) or (2, 3)'],
  },
  {
    prompt: 'Give the vector from A to B.',
    key: '(1, -2, 3)',
    right: answers`
      (1, -2, 3) | (1,−2,3) | [1, -2, 3] | <1, -2, 3> | 1, -2, 3 | (1;-2;3) | AB = (1, -2, 3) | i - 2j + 3k
    `,
    wrong: ['(1, 2, 3)', '(-1, 2, -3)', '(1, -2)', '(3, -2, 1)', '(1, -2, 3, 0)'],
  },
  {
    prompt: 'What is the ratio of boys to girls?',
    key: '2:3',
    right: answers`
      2:3 | 2 : 3 | 2 to 3 | two to three | ratio is 2:3 | 2/3 | 2 boys : 3 girls | boys : girls = 2 : 3
    `,
    wrong: ['3:2', '2:5', '5:3', '23', '2.3', '2', '1:3'],
    partial: [
      ['4:6', 0.3, 1],
      ['10:15', 0.3, 1],
    ],
  },
  {
    prompt: 'Name the three primary colours.',
    key: 'red, yellow and blue',
    right: answers`
      red, yellow, blue | blue red yellow | Yellow, Red and Blue | red yellow blue | red & yellow & blue
      1. red 2. blue 3. yellow | The primary colours are red, blue and yellow. | red/yellow/blue
    `,
    wrong: ['green, orange, purple', 'black and white'],
    partial: [
      ['red and blue', 0.4, 0.9],
      ['red, green, blue', 0.4, 0.8],
      ['not red, but yellow and blue', 0, 0.8],
    ],
  },
  {
    prompt: 'Put the numbers in order from smallest to largest: 0.5, 0.05, 0.55',
    key: '0.05, 0.5, 0.55',
    right: answers`
      0.05, 0.5, 0.55 | 0.05 < 0.5 < 0.55 | 0.05; 0.5; 0.55 | .05, .5, .55 | 0.05 0.5 0.55 | 0.55 > 0.5 > 0.05
      1/20, 1/2, 11/20
    `,
    wrong: ['0.55 < 0.5 < 0.05'],
    partial: [
      ['0.55, 0.5, 0.05', 0, 0.5],
      ['0.5, 0.05, 0.55', 0, 0.7],
    ],
  },
]
