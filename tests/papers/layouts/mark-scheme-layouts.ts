import { type ExamLayout, type ExamPages, left, right } from './exam-layout.ts'

type Write = Parameters<ExamLayout['draw']>[1]

/** Its keys are printed in many ways. */
function drawCells(pages: ExamPages, write: Write): void {
  pages.page('Cells and energy')
  pages.text('1. (a) Name the part of a cell that holds its genes. [1]', left, 110)
  write('1 a', left + 40, 134)
  pages.text('(b) Give two differences between plant and animal cells. [2]', left + 16, 190)
  write('1 b', left + 40, 214)
  pages.text('2. A cell is 0.02 mm long. A picture shows it 40 mm long. Find the magnification. [2]', left, 300)
  write('2', left + 40, 324)
  pages.text('3. Explain why muscle cells have many mitochondria. [3]', left, 400)
  write('3', left + 40, 424)
}

const cells = (expected: [string, string, string, string], kinds: Partial<Record<string, 'set'>> = {}) => [
  { number: '1 a', points: 1, kind: 'text' as const, expected: expected[0], answer: 'nucleus' },
  {
    number: '1 b',
    points: 2,
    kind: kinds['1 b'] ?? ('text' as const),
    expected: expected[1],
    answer: 'wall and chloroplasts',
  },
  { number: '2', points: 2, kind: 'number' as const, expected: expected[2], answer: '2000' },
  { number: '3', points: 3, kind: 'text' as const, expected: expected[3], answer: 'they need energy to contract' },
]

const WHY = 'Muscles need much energy to contract, which respiration in mitochondria releases.'

export const markSchemeLayouts: ExamLayout[] = [
  {
    name: 'a key that lists parts with the number repeated',
    questions: cells(['the nucleus', 'Plant cells have a cell wall and chloroplasts.', '2000', WHY]),
    draw: drawCells,
    key(pages) {
      pages.page()
      pages.bold('Answers', left, 70)
      pages.text('1a. the nucleus', left, 100)
      pages.text('1b. Plant cells have a cell wall and chloroplasts.', left, 120)
      pages.text('2. 2000', left, 140)
      pages.paragraph(`3. ${WHY}`, left, 160)
    },
  },
  {
    name: 'a table with the marks before the answers',
    questions: cells([
      'nucleus',
      'cell wall chloroplasts',
      '40 ÷ 0.02 2000',
      'muscles need much energy respiration in mitochondria releases energy more mitochondria release more',
    ]),
    draw: drawCells,
    key(pages) {
      pages.page()
      pages.bold('Mark scheme', left, 60)
      pages.table(
        [
          ['Q', 'Marks', 'Answer', 'Notes'],
          ['1a', '1', 'nucleus', 'Not nucleolus'],
          ['1b', '1', 'cell wall', ''],
          ['', '1', 'chloroplasts', 'Accept vacuole'],
          ['2', '1', '40 ÷ 0.02', ''],
          ['', '1', '2000', 'Correct answer alone earns both'],
          ['3', '1', 'muscles need much energy', ''],
          ['', '1', 'respiration in mitochondria releases energy', 'Do not accept “makes energy”'],
          ['', '1', 'more mitochondria release more', ''],
        ],
        left,
        80,
        [40, 50, 240, 140],
      )
    },
  },
  {
    name: 'solutions below “Answer:” in a copy of the paper',
    questions: cells(['the nucleus', 'Plant cells have a cell wall and chloroplasts.', '2000', WHY]),
    draw: drawCells,
    key(pages) {
      pages.page('Cells and energy')
      pages.text('1. (a) Name the part of a cell that holds its genes. [1]', left, 110)
      pages.text('Answer: the nucleus', left + 16, 130)
      pages.text('(b) Give two differences between plant and animal cells. [2]', left + 16, 160)
      pages.text('Answer: Plant cells have a cell wall and chloroplasts.', left + 16, 180)
      pages.text('2. A cell is 0.02 mm long. A picture shows it 40 mm long. Find the magnification. [2]', left, 220)
      pages.text('Answer: 2000', left + 16, 240)
      pages.text('3. Explain why muscle cells have many mitochondria. [3]', left, 280)
      pages.paragraph(`Answer: ${WHY}`, left + 16, 300)
    },
  },
  {
    name: 'a ruled table with its labels and marks in the middle of their cells',
    questions: cells(
      [
        'nucleus',
        'any two of: cell wall; chloroplasts; large vacuole',
        '2000',
        'muscles need much energy which respiration releases',
      ],
      { '1 b': 'set' },
    ),
    draw: drawCells,
    key(pages) {
      const sides = [0, 40, 90, 330, 380, 480]
      const row = (top: number, height: number, texts: string[][]) => {
        for (const [i, lines] of texts.entries()) {
          pages.box(left + (sides[i] ?? 0), top, (sides[i + 1] ?? 0) - (sides[i] ?? 0), height)
          for (const [n, text] of lines.entries())
            pages.text(text, left + (sides[i] ?? 0) + 4, top + height / 2 + 4 + (n - (lines.length - 1) / 2) * 14, {
              size: 10,
            })
        }
      }
      pages.page()
      pages.bold('Mark scheme', left, 60)
      row(80, 20, [['Q'], ['Part'], ['Answer'], ['Marks'], ['Guidance']])
      row(100, 20, [['1'], ['(a)'], ['nucleus'], ['1'], ['not nucleolus']])
      row(120, 44, [
        [],
        ['(b)'],
        ['Any two from: cell wall;', 'chloroplasts;', 'large vacuole'],
        ['2'],
        ['Ignore size'],
      ])
      row(164, 20, [['2'], [], ['2000'], ['2'], []])
      row(184, 32, [
        ['3'],
        [],
        ['muscles need much energy', 'which respiration releases'],
        ['3'],
        ['Do not accept', '“makes energy”'],
      ])
    },
  },
  {
    name: 'bullets with “max” and “accept” below each number',
    questions: cells(
      [
        'nucleus',
        'any two of: cell wall; chloroplasts; large vacuole',
        '2000',
        'much energy is needed to contract respiration releases it it happens in mitochondria',
      ],
      { '1 b': 'set' },
    ),
    draw: drawCells,
    key(pages) {
      pages.page()
      const lines: [string, number][] = [
        ['Question 1', 0],
        ['(a) nucleus (1)', 16],
        ['(b) Any two from:', 16],
        ['• cell wall', 34],
        ['• chloroplasts', 34],
        ['• large vacuole', 34],
        ['Question 2', 0],
        ['2000', 16],
        ['Accept × 2000', 16],
        ['Question 3', 0],
        ['much energy is needed to contract (1)', 16],
        ['respiration releases it (1)', 16],
        ['it happens in mitochondria (1)', 16],
        ['Do not accept: energy is made', 16],
      ]
      for (const [i, [text, indent]] of lines.entries()) pages.text(text, left + indent, 80 + i * 20)
    },
  },
]

/** Its keys are printed in many ways. */
const planets = ['Mercury', 'Venus', 'Mars', 'Jupiter']
const asked = [
  'Which planet is nearest to the sun?',
  'Which planet is the largest?',
  'Which planet is hottest?',
  'Which planet is called red?',
  'Which planet has a great spot?',
]
const solutions = ['A', 'D', 'B', 'C', 'D']

function drawPlanets(pages: ExamPages, option: (letter: string, word: string) => string): void {
  pages.page()
  pages.bold('Planets', left, 60, { size: 16 })
  pages.text('Name: ____________________', right, 60, { end: true })
  pages.text('Two points for each correct answer.', left, 84)
  for (const [i, question] of asked.entries()) {
    pages.text(`${i + 1}. ${question}`, left, 112 + i * 120)
    for (const [n, word] of planets.entries())
      pages.text(option('ABCD'[n] ?? '', word), left + 24, 132 + i * 120 + n * 18)
  }
}

const planetQuestions = (answers: string) =>
  solutions.map((expected, i) => ({
    number: `${i + 1}`,
    points: 2,
    kind: 'choice' as const,
    expected,
    answer: answers[i] ?? '',
  }))

const choiceOf = (i: number, letter: string): [number, number] => [
  left + 28,
  128 + i * 120 + 'ABCD'.indexOf(letter) * 18,
]

function drawPlanetsRinged(
  pages: ExamPages,
  mark: Parameters<ExamLayout['draw']>[2],
  option: (letter: string, word: string) => string,
): void {
  drawPlanets(pages, option)
  for (const i of asked.keys()) mark(`${i + 1}`, (letter, colour) => pages.ring(...choiceOf(i, letter), 9, 8, colour))
}

export const choiceKeyLayouts: ExamLayout[] = [
  {
    name: 'a grid of numbers above letters',
    questions: planetQuestions('ADBCA'),
    draw: (pages, _, mark) => drawPlanetsRinged(pages, mark, (letter, word) => `${letter}. ${word}`),
    key(pages) {
      pages.page()
      pages.bold('Answer key', left, 60)
      pages.table([['1', '2', '3', '4', '5'], [...solutions]], left, 80, [50, 50, 50, 50, 50])
    },
  },
  {
    name: 'options in brackets, key as “1. (A)”',
    questions: planetQuestions('BDBCD'),
    draw: (pages, _, mark) => drawPlanetsRinged(pages, mark, (letter, word) => `(${letter}) ${word}`),
    key(pages) {
      pages.page()
      pages.bold('Answer key', left, 60)
      for (const [i, letter] of solutions.entries()) pages.text(`${i + 1}. (${letter})`, left, 90 + i * 20)
    },
  },
  {
    name: 'small letters with a bracket, key with letter and words',
    questions: planetQuestions('adbcd'.toUpperCase()).map((question) => ({
      ...question,
      expected: question.expected.toLowerCase(),
    })),
    draw: (pages, _, mark) => drawPlanetsRinged(pages, mark, (letter, word) => `${letter.toLowerCase()}) ${word}`),
    key(pages) {
      pages.page()
      pages.bold('Key', left, 60)
      for (const [i, letter] of solutions.entries())
        pages.text(`${i + 1}. ${letter.toLowerCase()}) ${planets['ABCD'.indexOf(letter)]}`, left, 90 + i * 20)
    },
  },
  {
    name: 'the right option ticked in a copy of the paper',
    questions: planetQuestions('ADBBD'),
    draw: (pages, _, mark) => drawPlanetsRinged(pages, mark, (letter, word) => `${letter}. ${word}`),
    key(pages) {
      drawPlanets(pages, (letter, word) => `${letter}. ${word}`)
      for (const [i, letter] of solutions.entries()) {
        const [x, y] = choiceOf(i, letter)
        pages.tick(x + 70, y + 4, '#1b7f2a')
      }
    },
  },
  {
    name: 'the right option highlighted in a copy of the paper',
    questions: planetQuestions('ADBCD'),
    draw: (pages, _, mark) => drawPlanetsRinged(pages, mark, (letter, word) => `${letter}. ${word}`),
    key(pages) {
      pages.page()
      pages.bold('Planets', left, 60, { size: 16 })
      pages.text('Two points for each correct answer.', left, 84)
      for (const [i, question] of asked.entries()) {
        pages.text(`${i + 1}. ${question}`, left, 112 + i * 120)
        for (const [n, word] of planets.entries()) {
          const y = 132 + i * 120 + n * 18
          if (solutions[i] === 'ABCD'[n]) pages.box(left + 22, y - 10, 70, 13, '#fff000')
          pages.text(`${'ABCD'[n]}. ${word}`, left + 24, y)
        }
      }
    },
  },
]
