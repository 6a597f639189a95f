import { type AnswerCases, answers } from './answer-case.ts'

export const RESULTS: AnswerCases[] = [
  {
    prompt: 'Find x: 3x = 12',
    key: '4',
    right: [
      ...answers`
        x = 4 | x=4 | 4 | 3x = 12 so x = 4 | x = 12 ÷ 3 = 4 | 12/3 = 4 | x → 4 | therefore x = 4 | ∴ x = 4
        4 because 3 × 4 = 12 | 4, since 3 times 4 is 12 | x equals 4 | I divided 12 by 3 and got 4 | Answer: 4 | ans = 4
        x = 4. | 4 = x | x is 4 | 3(4) = 12, x = 4
      `,
      '3x = 12\nx = 12/3\nx = 4',
    ],
    wrong: ['x = 12', 'x = 3', '3x = 4', 'x = -4', 'x = 12 - 3 = 9', 'x ≠ 4', 'x > 4', 'x < 4', '12'],
    open: ['x = 4 or x = 5', '4 / 5', 'x = 3, x = 4'],
  },
  {
    prompt: 'What is the sum?',
    key: '500',
    right: answers`
      500 | 5 hundred | five hundred | 5 × 10² | 500.00 | sum = 500 | The sum is 500 | 200 + 300 = 500
      500 (200 + 300) | not 400 but 500 | 500, not 400 | 0.5 thousand | ½ × 1000 = 500 | I think it is 500
    `,
    wrong: answers`
      not 500 | ~400 | more than 500 | > 500 | between 1 and 500 | ≥500 | 500+ | up to 500 | 500 or more | isn't 500
      anything but 500 | less than 500 | never 500 | 500 million | 500,5 | minus 500 | 400, not 500 | 500 x 2
    `,
    partial: [
      ['about 500', 0, 1],
      ['≈ 500', 0, 1],
      ['roughly 500', 0, 1],
    ],
    open: ['about 500', '500 or 400', '500? 600?', '500 400', '300 + 200', 'somewhere around 500'],
  },
  {
    prompt: 'Measure the current.',
    key: '9.8 ± 0.1 A',
    right: ['9.8 A', '9.75 A', '9.9 A', '9.7 amps', '9800 mA', '9.85 A'],
    wrong: ['10 A', '9.6 A', '98 A', '8.9 A'],
  },
  {
    prompt: 'How many legs does a spider have?',
    key: '8',
    right: ['eight', '8 legs', 'Eight legs.', 'A spider has 8 legs', 'it has eight', '8 (eight)', 'eight (8)'],
    wrong: ['six', '80', 'a spider has 6 legs, not 8', 'not eight', '18', 'zero'],
    open: ['6 or 8', 'lots'],
  },
  {
    prompt: 'What is √48 in its simplest form?',
    key: '4√3',
    right: ['4√3', '4 √3', '4 × √3', '4sqrt(3)', '4\\sqrt{3}', '4*sqrt 3', '4 root 3'],
    wrong: ['3√4', '√12', '16√3', '4√2', '4'],
    partial: [
      ['√48', 0, 0.5],
      ['2√12', 0, 0.75],
      ['6.93', 0, 0.75],
    ],
  },
  {
    prompt: 'Find the area in terms of π.',
    key: '9π cm²',
    right: ['9π cm²', '9pi cm^2', '9 π cm2', '9π square centimetres', 'A = 9π cm²', 'π × 9 cm²', '3²π cm²'],
    wrong: ['6π cm²', '9 cm²', 'π cm²', '81π cm²'],
    partial: [
      ['9π', 0.5, 1],
      ['28.27 cm²', 0, 1],
      ['9π cm', 0.25, 0.9],
    ],
  },
  {
    prompt: 'What is 2^10?',
    key: '1024',
    right: ['1024', '1,024', 'one thousand and twenty-four', 'one thousand twenty four', '1.024 × 10^3'],
    wrong: ['1042', '20', '100', '1023', '1024.5'],
    partial: [
      ['2^10', 0, 0.5],
      ['1.0 × 10^3', 0, 0.5],
    ],
  },
  {
    prompt: 'What is 10 divided by 4?',
    key: '2.5',
    right: answers`
      2.5 | 2 1/2 | 2½ | two and a half | 2,5 | 5/2 | two point five | 2.50 | 10/4 = 2.5 | 10 ÷ 4 = 2.5
    `,
    wrong: ['2', '25', '5.2', '2 r 2', '2/5', '4/10'],
    partial: [
      ['10/4', 0, 0.5],
      ['2 remainder 2', 0, 0.5],
    ],
  },
]
