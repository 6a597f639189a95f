import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const mixedLayouts: ExamLayout[] = [
  {
    name: 'statements with True and False behind them',
    questions: questionRows([
      ['1', 1, 'True', 'True', 'true_false'],
      ['2', 1, 'False', 'True', 'true_false'],
      ['3', 1, 'False', 'False', 'true_false'],
    ]),
    draw(pages, _, mark) {
      pages.page('Whales')
      pages.text('Circle True or False. One point each.', left, 96)
      for (const [i, text] of ['Whales breathe air.', 'Whales lay eggs.', 'Whales are fish.'].entries()) {
        const y = 130 + i * 30
        pages.text(`${i + 1}. ${text}`, left, y)
        pages.text('True', left + 300, y)
        pages.text('False', left + 350, y)
        mark(`${i + 1}`, (word, colour) => pages.ring(left + (word === 'True' ? 311 : 364), y - 4, 18, 9, colour))
      }
    },
  },
  {
    name: 'parts of parts, with totals of questions in brackets',
    questions: questionRows([
      ['1 a', 2, 'It stores the data in order.', 'keeps data in order'],
      ['1 b i', 1, 'a queue', 'queue'],
      ['1 b ii', 2, 'The first job printed is the first sent.', 'first in first out'],
      ['2', 5, 'Halve the range until the item is found.', 'cut it in half again and again'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('Question 1 (5 marks)', left, 80, { size: 12 })
      pages.text('a) What does an array do? (2 marks)', left + 12, 104)
      write('1 a', left + 40, 130)
      pages.text('b) A printer takes many jobs.', left + 12, 180)
      pages.text('i) Which structure should hold them? (1 mark)', left + 30, 202)
      write('1 b i', left + 60, 226)
      pages.text('ii) Give a reason for your choice. (2 marks)', left + 30, 270)
      write('1 b ii', left + 60, 294)
      pages.bold('Question 2 (5 marks)', left, 360, { size: 12 })
      pages.text('Describe how a binary search works.', left + 12, 384)
      write('2', left + 40, 410)
    },
  },
  {
    name: 'long questions that wrap, with the points on their last line',
    questions: questionRows([
      ['1', 4, 'The dye spreads because its particles move at random.', 'particles move randomly'],
      ['2', 3, '0.25 m/s', '0.25 m/s', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Particles')
      const first = pages.paragraph(
        '1. A drop of blue dye is put into a glass of water that stands quite still on the table for 3 hours. 2 hours later nobody has stirred it, and yet all of the water is blue. Explain what has happened. (4 points)',
        left,
        110,
      )
      write('1', left + 14, first + 14)
      const second = pages.paragraph(
        '2. A snail needs 20 s for the 5 m from the pot to the lettuce, which is a new record for 2024. How fast does it go? (3 points)',
        left,
        first + 120,
      )
      write('2', left + 14, second + 14)
    },
  },
  {
    name: 'a name box, a total to fill in and a bonus question',
    questions: questionRows([
      ['1', 5, 'Inflation is a rise of the price level.', 'prices go up'],
      ['2', 5, 'Savers lose, debtors gain.', 'debtors gain'],
      ['3', 2, 'John Maynard Keynes', 'Keynes'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.box(right - 190, 40, 190, 56)
      pages.text('Name:', right - 184, 58)
      pages.text('Class:', right - 184, 86)
      pages.bold('Test 4: Money', left, 60, { size: 16 })
      pages.text('Score: _____ / 12', left, 90)
      pages.text('1) What is inflation? (5 points)', left, 140)
      write('1', left + 16, 166)
      pages.text('2) Who loses by it, and who gains? (5 points)', left, 240)
      write('2', left + 16, 266)
      pages.text('3) Bonus: who wrote the General Theory? (2 points)', left, 340)
      write('3', left + 16, 366)
    },
  },
  {
    name: 'questions in the rows of a table with an answer column',
    questions: questionRows([
      ['1', 2, 'Lima', 'Lima'],
      ['2', 2, 'Oslo', 'Bergen'],
      ['3', 2, 'Nairobi', 'Nairobi'],
    ]),
    draw(pages, write) {
      pages.page('Capitals (2 points each)')
      pages.table(
        [
          ['No.', 'Question', 'Answer'],
          ['1', 'What is the capital of Peru?', ''],
          ['2', 'What is the capital of Norway?', ''],
          ['3', 'What is the capital of Kenya?', ''],
        ],
        left,
        90,
        [40, 240, 160],
      )
      for (const i of [0, 1, 2]) write(`${i + 1}`, left + 290, 123 + i * 20)
    },
  },
  {
    name: 'three pages with running heads and questions across a page break',
    questions: questionRows([
      ['1', 6, 'Trade brought the plague along the roads.', 'traders carried it'],
      ['2', 6, 'Wages rose because workers were few.', 'few workers, more pay'],
      ['3', 8, 'Towns closed their gates and kept ships waiting.', 'ships had to wait'],
    ]),
    draw(pages, write) {
      const head = (page: number) => {
        pages.text('HIS 204 Spring', left, 36, { size: 9 })
        pages.text(`Page ${page} of 3`, right, 36, { size: 9, end: true })
        pages.text('Initials: ______', left, 812, { size: 9 })
      }
      pages.page()
      head(1)
      pages.text('1. How did the plague reach Europe? (6 points)', left, 90)
      write('1', left + 20, 120)
      pages.page()
      head(2)
      pages.text('2. What became of wages after it? (6 points)', left, 90)
      write('2', left + 20, 120)
      pages.text('3. What did towns do against it?', left, 740)
      pages.page()
      head(3)
      pages.text('Use what you know about harbours. (8 points)', left + 16, 80)
      write('3', left + 20, 110)
    },
  },
  {
    name: 'letters to write before the numbers, and points in the heads of its sections',
    questions: questionRows([
      ['1', 2, 'b', 'b', 'choice'],
      ['2', 2, 'c', 'a', 'choice'],
      ['3', 2, 'a', 'c', 'choice'],
      ['4', 3, 'delta', 'delta'],
      ['5', 8, 'Dams hold back the mud that builds the delta.', 'dams keep the mud'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('Rivers', left, 60, { size: 16 })
      pages.bold('Matching (2 points each)', left, 100)
      for (const [i, [word, meaning]] of [
        ['source', 'where it reaches the sea'],
        ['meander', 'where it begins'],
        ['mouth', 'a bend'],
      ].entries()) {
        pages.text(`____  ${i + 1}. ${word}`, left, 126 + i * 22)
        write(`${i + 1}`, left + 6, 124 + i * 22)
        pages.text(`${'abc'[i]}. ${meaning}`, left + 260, 126 + i * 22)
      }
      pages.bold('Completion (3 points each)', left, 220)
      pages.text('4. Mud laid down where a river ends forms a ______________ .', left, 246)
      write('4', left + 252, 243)
      pages.bold('Essay (8 points)', left, 300)
      pages.text('5. Explain why dams can make a coast shrink.', left, 326)
      write('5', left + 20, 352)
    },
    key(pages) {
      pages.page()
      pages.bold('Rivers: answer section', left, 60)
      const lines = [
        'MATCHING',
        '1. ANS: b   PTS: 2',
        '2. ANS: c   PTS: 2',
        '3. ANS: a   PTS: 2',
        'COMPLETION',
        '4. ANS: delta   PTS: 3',
        'ESSAY',
        '5. ANS: Dams hold back the mud that builds the delta.   PTS: 8',
      ]
      for (const [i, text] of lines.entries()) {
        if (/^[A-Z]+$/.test(text)) pages.bold(text, left, 90 + i * 20)
        else pages.text(text, left, 90 + i * 20)
      }
    },
  },
]
