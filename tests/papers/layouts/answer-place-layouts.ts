import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const answerPlaceLayouts: ExamLayout[] = [
  {
    name: 'options in one line, to be ringed',
    questions: questionRows([
      ['1', 1, 'C', 'C', 'choice'],
      ['2', 1, 'A', 'B', 'choice'],
      ['3', 2, 'The dative', 'dative'],
    ]),
    draw(pages, write, mark) {
      const options = (n: string, y: number, words: string[]) => {
        for (const [i, word] of words.entries()) pages.text(`${'ABCD'[i]}  ${word}`, left + 20 + i * 110, y)
        mark(n, (letter, colour) => pages.ring(left + 24 + 'ABCD'.indexOf(letter) * 110, y - 4, 9, 9, colour))
      }
      pages.page('German grammar check')
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
    questions: questionRows([
      ['1', 1, 'a diode', 'a diode', 'choice'],
      ['2', 1, 'It halves.', 'It doubles.', 'choice'],
    ]),
    draw(pages, _, mark) {
      const options = (n: string, y: number, words: string[]) => {
        for (const [i, word] of words.entries()) {
          pages.text(word, left + 20, y + i * 24)
          pages.box(left + 220, y - 11 + i * 24, 14, 14)
        }
        mark(n, (word, colour) => pages.tick(left + 226, y + words.indexOf(word) * 24, colour))
      }
      pages.page('Circuits')
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
    questions: questionRows([
      ['1 a', 1, 'True', 'T', 'true_false'],
      ['1 b', 1, 'False', 'T', 'true_false'],
      ['1 c', 1, 'False', 'F', 'true_false'],
    ]),
    draw(pages, write) {
      pages.page('Planets')
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
    questions: questionRows([
      ['1 a', 1, 'evaporates', 'evaporates'],
      ['1 b', 1, 'condenses', 'freezes'],
      ['1 c', 1, 'rain', 'rain'],
    ]),
    draw(pages, write) {
      pages.page('The water cycle')
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
    questions: questionRows([
      ['1', 1, '56', '56', 'number'],
      ['2', 1, '3/4', '3/4', 'number'],
      ['3', 2, '£4.20', '£4.02', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Mental arithmetic')
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
