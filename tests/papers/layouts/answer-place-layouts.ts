import { type ExamLayout, left, right } from './exam-layout.ts'

export const answerPlaceLayouts: ExamLayout[] = [
  {
    name: 'options in one line, to be ringed',
    questions: [
      { number: '1', points: 1, kind: 'choice', expected: 'C', answer: 'C' },
      { number: '2', points: 1, kind: 'choice', expected: 'A', answer: 'B' },
      { number: '3', points: 2, expected: 'The dative', answer: 'dative' },
    ],
    draw(pages, write, mark) {
      const options = (n: string, y: number, words: string[]) => {
        for (const [i, word] of words.entries()) pages.text(`${'ABCD'[i]}  ${word}`, left + 20 + i * 110, y)
        mark(n, (letter, colour) => pages.ring(left + 24 + 'ABCD'.indexOf(letter) * 110, y - 4, 9, 9, colour))
      }
      pages.page()
      pages.bold('German grammar check', left, 70, { size: 16 })
      pages.text('Circle the letter of the right answer.', left, 96)
      pages.text('1. ___ Haus ist alt. (1 point)', left, 130)
      options('1', 152, ['der', 'die', 'das', 'den'])
      pages.text('2. Ich ___ nach Bonn. (1 point)', left, 190)
      options('2', 212, ['fahre', 'fährst', 'fährt', 'fahren'])
      pages.text('3. Which case follows “mit”? (2 points)', left, 250)
      write('3', left + 20, 276)
    },
  },
  {
    name: 'boxes to tick',
    questions: [
      { number: '1', points: 1, kind: 'choice', expected: 'a diode', answer: 'a diode' },
      { number: '2', points: 1, kind: 'choice', expected: 'It halves.', answer: 'It doubles.' },
    ],
    draw(pages, _, mark) {
      const options = (n: string, y: number, words: string[]) => {
        for (const [i, word] of words.entries()) {
          pages.text(word, left + 20, y + i * 24)
          pages.box(left + 220, y - 11 + i * 24, 14, 14)
        }
        mark(n, (word, colour) => pages.tick(left + 226, y + words.indexOf(word) * 24, colour))
      }
      pages.page()
      pages.bold('Circuits', left, 70, { size: 16 })
      pages.text('1. Which part lets current flow one way only? Tick one box.', left, 110)
      pages.text('[1 mark]', right, 110, { end: true })
      options('1', 136, ['a resistor', 'a diode', 'a fuse'])
      pages.text('2. What happens to the current when the resistance doubles? Tick one box.', left, 240)
      pages.text('[1 mark]', right, 258, { end: true })
      options('2', 282, ['It doubles.', 'It halves.', 'It stays the same.'])
    },
  },
  {
    name: 'statements in a table, true or false',
    questions: [
      { number: '1 a', points: 1, kind: 'true_false', expected: 'True', answer: 'T' },
      { number: '1 b', points: 1, kind: 'true_false', expected: 'False', answer: 'T' },
      { number: '1 c', points: 1, kind: 'true_false', expected: 'False', answer: 'F' },
    ],
    draw(pages, write) {
      pages.page()
      pages.bold('Planets', left, 70, { size: 16 })
      pages.text('1. Write T (true) or F (false) beside each statement. (1 mark each)', left, 110)
      pages.table(
        [
          ['', 'Statement', 'T or F'],
          ['a', 'Mars is smaller than the Earth.', ''],
          ['b', 'Venus has two moons.', ''],
          ['c', 'Jupiter is made of rock.', ''],
        ],
        left,
        130,
        [30, 300, 60],
      )
      for (const [i, part] of ['a', 'b', 'c'].entries()) write(`1 ${part}`, left + 350, 163 + i * 20)
    },
  },
  {
    name: 'gaps in a text, with a word bank',
    questions: [
      { number: '1 a', points: 1, expected: 'evaporates', answer: 'evaporates' },
      { number: '1 b', points: 1, expected: 'condenses', answer: 'freezes' },
      { number: '1 c', points: 1, expected: 'rain', answer: 'rain' },
    ],
    draw(pages, write) {
      pages.page()
      pages.bold('The water cycle', left, 70, { size: 16 })
      pages.text('1. Fill in each gap with a word from the box. [1 each]', left, 110)
      pages.box(left, 122, 380, 22)
      pages.text('condenses     evaporates     freezes     rain     soil', left + 12, 137)
      const sentences = [
        ['a', 'Water in the sea', 'in the sun.'],
        ['b', 'High up the vapour', 'to clouds.'],
        ['c', 'It comes down as', 'and fills the rivers.'],
      ] as const
      for (const [i, [part, before, after]] of sentences.entries()) {
        const y = 176 + i * 30
        pages.text(`(${part})  ${before} ____________________ ${after}`, left, y)
        write(`1 ${part}`, left + 136, y - 3)
      }
    },
  },
  {
    name: 'answer boxes at the right',
    questions: [
      { number: '1', points: 1, kind: 'number', expected: '56', answer: '56' },
      { number: '2', points: 1, kind: 'number', expected: '3/4', answer: '3/4' },
      { number: '3', points: 2, kind: 'number', expected: '£4.20', answer: '£4.02' },
    ],
    draw(pages, write) {
      pages.page()
      pages.bold('Mental arithmetic', left, 70, { size: 16 })
      for (const [i, [text, marks]] of [
        ['7 × 8 =', '1 mark'],
        ['Write 0.75 as a fraction in its lowest terms.', '1 mark'],
        ['3 pens cost £1.80. What do 7 pens cost?', '2 marks'],
      ].entries()) {
        const y = 120 + i * 70
        pages.bold(`${i + 1}`, left, y)
        pages.text(text ?? '', left + 24, y)
        pages.box(right - 110, y - 18, 100, 30)
        pages.text(marks ?? '', right, y + 26, { end: true, size: 8 })
        write(`${i + 1}`, right - 96, y + 2)
      }
    },
  },
]
