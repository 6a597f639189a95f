import { type AnswerCases, answers } from './answer-case.ts'

export const SEQUENCES: AnswerCases[] = [
  {
    prompt: 'Put the stages of the process in the right order. Write the letters.',
    key: 'C A D B',
    right: answers`
      C A D B | CADB | c a d b | C, A, D, B | C→A→D→B | C-A-D-B | C then A then D then B | 1. C 2. A 3. D 4. B
      1C 2A 3D 4B | C A D and B | The order is C, A, D, B
    `,
    wrong: ['B D A C', 'D B A C', 'A B C D', 'C'],
    partial: [
      ['C A B D', 0, 0.75],
      ['C D A B', 0, 0.75],
    ],
  },
  {
    prompt: 'Write the names of the layers in order from the surface.',
    key: 'crust → mantle → outer core → inner core',
    right: [
      'crust, mantle, outer core, inner core',
      'crust then mantle then outer core then inner core',
      'crust > mantle > outer core > inner core',
      '1. crust 2. mantle 3. outer core 4. inner core',
      'Crust\nMantle\nOuter core\nInner core',
    ],
    wrong: ['inner core, outer core, mantle, crust', 'crust'],
    partial: [['crust, mantle, inner core, outer core', 0.4, 0.8]],
  },
  {
    prompt: 'Rank the metals by reactivity.',
    key: 'Ca > Zn > Cu',
    right: answers`
      Ca > Zn > Cu | calcium, zinc, copper | Cu < Zn < Ca | Calcium > zinc > copper | Ca, Zn, Cu
      calcium then zinc then copper
    `,
    wrong: ['Cu > Zn > Ca', 'copper, zinc, calcium', 'Ca < Zn < Cu'],
  },
  {
    prompt: 'Which of the numbers in the box are multiples of 6?',
    key: '12, 30, 54',
    right: ['12, 30, 54', '12 30 54', '12 and 30 and 54', '54, 30, 12', '30, 12, 54'],
    wrong: ['14, 32, 56', '20, 40'],
    partial: [['12, 30', 0, 0.8]],
  },
]
