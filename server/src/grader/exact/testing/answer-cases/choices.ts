import { type AnswerCases, answers } from './answer-case.ts'

export const CHOICES: AnswerCases[] = [
  {
    prompt: 'Which planet is nearest to the sun?\nA. Venus\nB. Mercury\nC. Mars\nD. Earth',
    key: 'B',
    right: answers`
      B | b | (b) | B. | B) Mercury | Mercury | mercury | Answer: B | The answer is B | B - Mercury | option B
      It is B | Letter B | It's Mercury | b) mercury | B because it is closest | B, as it is the nearest
      B is correct | not A, B | B not A | I choose B | A no, B | Mercury is nearest to the sun | my answer is b | B!
      “B” | B - it is nearest | B (Mercury) | Mercury (B) | Mercry
    `,
    wrong: answers`
      A | C | Venus | D) Earth | not B | E | A. Venus because it is hot | Mars | The answer is C | Not Mercury
      C not B
    `,
    open: ['A or B', 'A, B', 'B/C', 'B C', 'A B C D', 'Venus or Mercury', 'B) Venus', 'either B or C', 'Jupiter'],
  },
  {
    prompt: 'Which are prime? Choose two.\nA. 2\nB. 4\nC. 5\nD. 9',
    key: 'A, C',
    right: answers`
      A, C | C and A | AC | A & C | a,c | A C | A and C | 2 and 5 | A) 2 and C) 5 | CA | A+C | A; C | both A and C
    `,
    wrong: ['B, D', 'B', 'D and B'],
    partial: [
      ['A', 0, 0.6],
      ['A, B', 0, 0.6],
      ['A, B, C', 0, 0.7],
      ['A, B, C, D', 0, 0.6],
    ],
  },
  {
    prompt: 'Light travels faster than sound. True or false?',
    key: 'True',
    right: answers`
      True | true | T | TRUE | Yes | correct | It is true | True because light is fast | That is right | ✓
      that's true | true, light is much faster | Not false | the statement is true | definitely true | True. | right
    `,
    wrong: answers`
      False | F | no | not true | untrue | It isn't true | That is wrong | false, sound is faster | ✗ | never true
      incorrect
    `,
    open: ['True / False', 'true or false', 'True and false', 'maybe', 'sometimes', 'partly true', 'true false'],
  },
  { prompt: 'Which is it?\n○ 1\n○ -1\n○ 7', key: '-1', right: ['-1'], wrong: ['1'] },
  { prompt: 'Which is it?\n○ Z\n○ E\n○ R\n○ I\n○ Y', key: 'E', right: ['E'], wrong: ['Y'] },
]
