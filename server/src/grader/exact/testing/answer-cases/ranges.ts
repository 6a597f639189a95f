import { type AnswerCases, answers } from './answer-case.ts'

export const RANGES: AnswerCases[] = [
  {
    prompt: 'How many items can be kept in mind at once?',
    key: '6 plus or minus 2 items',
    right: answers`
      6 plus or minus 2 items | 6 ± 2 items | 6±2 | 6 +/- 2 | 6+/-2 items | 6 +- 2 | 4 to 8 | 4-8 | 4–8 items
      between 4 and 8 | from 4 to 8 items | about 6 items, plus or minus 2 | 6 give or take 2 | six plus or minus two
      between four and eight items | 4 - 8 items
    `,
    wrong: ['6 ± 3', '5 to 9', '2 to 6', '12', '20 items', 'between 3 and 8', 'unlimited'],
    open: ['6', '8', 'about 6 items', '6 items plus 2'],
  },
  {
    prompt: 'What is the normal pH range of blood?',
    key: '7.35 – 7.45',
    right: answers`
      7.35 – 7.45 | 7.35-7.45 | 7.35 to 7.45 | between 7.35 and 7.45 | from 7.35 to 7.45 | pH 7.35 to 7.45
    `,
    wrong: ['6.35 to 6.45', '7.0 to 8.5', '1 to 14'],
  },
  {
    prompt: 'Which range of frequencies can people hear?',
    key: 'Between 20 Hz and 20,000 Hz',
    right: answers`
      20 Hz to 20000 Hz | 20 Hz - 20 kHz | between 20 Hz and 20,000 Hz | from 20 Hz to 20 kHz | 20 to 20,000 Hz
      20Hz–20kHz | 20-20000 Hz
    `,
    wrong: ['2 Hz to 2000 Hz', '20 kHz to 20 MHz', '200 to 20,000 Hz', '20 to 20,000 kHz'],
  },
  {
    prompt: 'How many players may a team have?',
    key: 'between 3 and 5 players',
    right: ['3 to 5', '3-5 players', 'from 3 to 5', '4 ± 1', '4 plus or minus 1', '3, 4 or 5', 'three to five players'],
    wrong: ['5 to 7', '6', '2-6', '4 ± 2'],
  },
  {
    prompt: 'State the range of g, where g(x) = x² + 1.',
    key: 'g(x) ≥ 1',
    right: ['y ≥ 1', 'g(x) >= 1', 'g(x) ≥ 1'],
    wrong: ['y > 1', 'y ≤ 1', 'x ≥ 1'],
  },
  {
    prompt: 'A box has a mass of 5 kg. Calculate its weight.\nWeight = . . . . . . . . . N',
    key: '49 N',
    right: ['49', '49 N', '5 x 9.8 = 49'],
    wrong: ['50', '94'],
  },
]
