import { type AnswerCases, answers } from './answer-case.ts'

export const PARTS: AnswerCases[] = [
  {
    prompt: 'Name (a) the largest planet, (b) the smallest planet of the solar system.',
    key: '(a) Jupiter (b) Mercury',
    right: answers`
      a) Jupiter, b) Mercury | (b) Mercury (a) Jupiter | Jupitor / Mercury | largest: Jupiter, smallest: Mercury
      Mercury is the smallest and Jupiter the largest | (a) Jupiter (the gas giant), (b) Mercury
    `,
    wrong: ['Mercury, Jupiter', 'a: Mercury, b: Jupiter'],
    partial: [
      ['(a) Saturn (b) Mercury', 0.5, 0.5],
      ['Jupiter', 0.5, 0.5],
    ],
  },
  {
    prompt: 'State the SI units of (1) force, (2) energy, (3) power.',
    key: '(1) newton (2) joule (3) watt',
    right: ['N, J, W', '1. newton 2. joule 3. watt', 'force: N; energy: J; power: W', 'newtons, joules and watts'],
    partial: [['1 N 2 W 3 J', 0.3, 0.4]],
  },
  {
    prompt: 'Match: 1 heart, 2 lung, 3 kidney; A gas exchange, B pumping blood, C filtering blood.',
    key: '1-B, 2-A, 3-C',
    right: answers`
      1B 2A 3C | BAC | A-2, B-1, C-3 | heart - pumping blood, lung - gas exchange, kidney - filtering blood
      the heart pumps blood, the lungs exchange gas, the kidneys filter blood
    `,
    partial: [['1: B; 2: C; 3: A', 0.3, 0.4]],
  },
  {
    prompt: "Name the author and the year of 'On the Origin of Species'.",
    key: 'Charles Darwin, 1859',
    right: ['Darwin, 1859', '1859, Charles Darwin', 'Charles Darwin in 1859'],
    partial: [
      ['Darwin 1858', 0.5, 0.5],
      ['Wallace, 1859', 0.5, 0.5],
    ],
  },
  {
    prompt: 'Put in order of size, smallest first: A galaxy, B planet, C star.',
    key: 'B, C, A',
    right: ['B C A', 'BCA', 'planet < star < galaxy', 'first the planet, then the star, finally the galaxy'],
    partial: [['galaxy, star, planet', 0, 0.4]],
  },
  {
    prompt: 'Give the values of 23 // 6 and 23 % 6 in Python, in this order.',
    key: '3 and 5',
    right: ['3, 5', '23//6 = 3 and 23%6 = 5'],
    wrong: ['5 and 3'],
    partial: [['3 and 4', 0.5, 0.5]],
  },
  {
    prompt: 'Solve the system 2x + y = 11 and x − y = 1.',
    key: 'x = 4, y = 3',
    right: ['y = 3, x = 4', '(x, y) = (4, 3)'],
    wrong: ['x = 3, y = 4'],
    partial: [['x = 4, y = −3', 0.5, 0.5]],
  },
  {
    prompt: 'Which of these are mammals? A whale  B shark  C bat  D penguin. Give all the letters.',
    key: 'A, C',
    right: ['AC', 'the whale, the bat', 'whale and bat'],
    partial: [['whale, shark', 0, 0.5]],
  },
  {
    prompt: 'Negate: ∃x P(x).',
    key: '∀x ¬P(x)',
    right: ['\\forall x \\neg P(x)', 'for all x not P(x)'],
    wrong: ['∃x ¬P(x)'],
  },
]
