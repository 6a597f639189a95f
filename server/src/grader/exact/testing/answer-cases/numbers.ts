import { type AnswerCases, answers } from './answer-case.ts'

export const NUMBERS: AnswerCases[] = [
  {
    prompt: 'How many pupils are in the class?',
    key: '25',
    right: answers`
      25 | twenty-five | Twenty five | 25 pupils | There are 25 pupils. | 25.0 | +25 | = 25 | Answer: 25 | twentyfive
    `,
    wrong: answers`
      52 | -25 | twenty-six | 2.5 | not 25 | 250 | 25% | more than 25 | at least 25 | fewer than 25
      between 20 and 25 | 20-25 | It is not 25 | under 25
    `,
    open: ['25 or 26', '24, 25', 'maybe 25 or so', '25ish'],
  },
  {
    prompt: 'What is the population of the town?',
    key: '1 000 000',
    right: answers`
      1000000 | 1,000,000 | 1 million | one million | 10^6 | 10⁶ | 1 × 10^6 | 1x10^6 | 1e6 | 1E6 | 1.0 million
      1*10^6 | a million | 1 000 000 | 1'000'000
    `,
    wrong: ['100000', '1 billion', '10^5', '1 × 10^-6', 'one thousand', '1 000', '1.1 million'],
  },
  {
    prompt: 'Write the speed of light in m/s.',
    key: '3 × 10^8',
    right: answers`
      3 × 10⁸ | 3x10^8 | 3*10^8 | 3 . 10^8 | 3·10^8 | 300000000 | 300,000,000 | 300 million | 3e8 | 3E+08 | 3 x 10**8
      3 × 10^8 m/s | $3 \times 10^{8}$ | 3 x 10 to the power of 8
    `,
    wrong: ['3 × 10^7', '3 × 10^-8', '3', '10^8', '3 + 10^8', '38', '30 million'],
  },
  {
    prompt: 'What is 3 divided by 4?',
    key: '0.75',
    right: answers`
      0.75 | .75 | 3/4 | ¾ | 75% | 75 % | three quarters | three-quarters | 0,75 | 6/8 | 0.750 | \frac{3}{4}
      75 percent
    `,
    wrong: ['0.57', '4/3', '7.5', '75', '-0.75', '0.075', '3.4', 'a quarter'],
  },
  {
    prompt: 'Work out 7/4 as a mixed number.',
    key: '1 3/4',
    right: ['1 3/4', '1¾', '1 ¾', 'one and three quarters', '1 and 3/4', '1\\frac{3}{4}'],
    wrong: ['13/4', '1 1/4', '3/4', '1 4/3', '1/3/4'],
    open: ['7/4', '1.75', '1-3/4'],
  },
  {
    prompt: 'Divide 1 by 3.',
    key: '1/3',
    right: answers`
      1/3 | ⅓ | one third | a third | 0.333... | 0.3 recurring | 0.3̇ | 0.333… | 0.33333 | 2/6 | 33 1/3 %
    `,
    wrong: ['3', '0.3', '3/1', '1/4', '2/3', 'one fourth', '0.6 recurring'],
    open: ['0.33'],
  },
  {
    prompt: 'Work out 1234.5 divided by 1.',
    key: '1.234,5',
    right: ['1.234,5', '1234,5', '1234.5', '1,234.5', '1 234,5'],
    wrong: ['1.2345', '12345', '1.234', '1,2345', '1234'],
  },
]
