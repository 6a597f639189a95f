import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const keyLayouts: ExamLayout[] = [
  {
    name: 'a table with guidance',
    questions: questionRows([
      ['1', 1, 'osmosis', 'osmosis'],
      ['2 a', 2, 'any two of: light; water; carbon dioxide', 'water and light', 'set'],
      ['2 b', 1, '6.4 cm', '6.4 cm', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Plants')
      pages.text('1  Name the movement of water through a membrane.', left, 110)
      pages.text('[1]', right, 110, { end: true })
      write('1', left + 20, 136)
      pages.text('2  (a)  Name two things a plant needs to make sugar.', left, 180)
      pages.text('[2]', right, 180, { end: true })
      write('2 a', left + 40, 206)
      pages.text('(b)  A shoot of 4.0 cm grows by 60 %. How long is it then?', left + 16, 250)
      pages.text('[1]', right, 250, { end: true })
      write('2 b', left + 40, 276)
    },
    key(pages) {
      pages.page('Plants: mark scheme')
      pages.table(
        [
          ['Question', 'Answer', 'Mark', 'Guidance'],
          ['1', 'osmosis', '1', 'Accept phonetic spelling. Reject diffusion alone.'],
          ['2(a)', 'Any two from: light; water; carbon dioxide', '2', 'Ignore soil.'],
          ['2(b)', '6.4 cm', '1', 'Allow 6.4 without unit.'],
        ],
        left,
        96,
        [60, 210, 40, 170],
      )
    },
  },
  {
    name: 'a bare list',
    questions: questionRows([
      ['1', 1, 'B', 'B', 'choice'],
      ['2', 1, '1066', '1066', 'number'],
      ['3', 1, 'the Domesday Book', 'Domesday book'],
      ['4', 1, 'D', 'A', 'choice'],
    ]),
    draw(pages, write) {
      const options = (y: number, words: string[]) => {
        for (const [i, word] of words.entries()) pages.text(`${'ABCD'[i]}. ${word}`, left + 20, y + i * 16)
      }
      pages.page('1066 and all that')
      pages.text('Each question is worth 1 point.', left, 92)
      pages.text('1. Who won at Hastings?', left, 120)
      options(138, ['Harold', 'William', 'Edgar', 'Harald'])
      write('1', left + 240, 120)
      pages.text('2. In which year?', left, 220)
      write('2', left + 240, 220)
      pages.text('3. Which book lists who owned what?', left, 260)
      write('3', left + 240, 260)
      pages.text('4. What was a motte?', left, 300)
      options(318, ['a ditch', 'a wall', 'a tax', 'a mound'])
      write('4', left + 240, 300)
    },
    key(pages) {
      pages.page()
      pages.text('Answers', left, 70)
      pages.text('1 B    2 1066    3 the Domesday Book    4 D', left, 100)
    },
  },
  {
    name: 'method and accuracy marks',
    questions: questionRows([
      ['1', 3, 'F = ma = 2 × 6 12 N', 'F = 2 × 6 = 12 N', 'number'],
      ['2', 2, 'W = Fs = 5 × 8 40 J', '40 J', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Forces')
      pages.text('1. A trolley of 2 kg speeds up by 6 m/s each second. Find the force on it.', left, 110)
      pages.text('(3 marks)', right, 128, { end: true })
      write('1', left + 20, 160)
      pages.text('2. It is pushed by 5 N over 8 m. Find the work done.', left, 260)
      pages.text('(2 marks)', right, 278, { end: true })
      write('2', left + 20, 310)
    },
    key(pages) {
      pages.page('Forces: solutions')
      pages.text('1.  F = ma', left, 110)
      pages.text('M1', right - 20, 110)
      pages.text('= 2 × 6', left + 26, 130)
      pages.text('M1', right - 20, 130)
      pages.text('= 12 N', left + 26, 150)
      pages.text('A1', right - 20, 150)
      pages.text('2.  W = Fs = 5 × 8', left, 190)
      pages.text('M1', right - 20, 190)
      pages.text('= 40 J', left + 26, 210)
      pages.text('A1', right - 20, 210)
    },
  },
  {
    name: 'the right option in bold red',
    questions: questionRows([
      ['1', 2, 'B', 'b', 'choice'],
      ['2', 2, 'C', 'a', 'choice'],
    ]),
    draw(pages, write) {
      drawBoldRedQuiz(pages, '')
      write('1', right - 40, 110)
      write('2', right - 40, 200)
    },
    key: (pages) => drawBoldRedQuiz(pages, 'bc'),
  },
  {
    name: 'levels of response',
    questions: questionRows([
      ['1', 2, 'The price of bread rose.', 'bread got dear'],
      [
        '2',
        6,
        'weighs money against ideas, with evidence, and judges.',
        'The king had to ask for money because the wars had cost so much.',
        'essay',
      ],
    ]),
    draw(pages, write) {
      pages.page('1789')
      pages.text('1. What made people in Paris angry in spring? [2]', left, 110)
      write('1', left + 20, 136)
      pages.text('2. “Money, not ideas, made the revolution.” How far do you agree? [6]', left, 190)
      write('2', left + 20, 216)
    },
    key(pages) {
      pages.page('1789: mark scheme')
      pages.text('1. The price of bread rose. [2]', left, 110)
      pages.text('2. Level 3 (5-6 marks): weighs money against ideas, with evidence, and judges.', left, 150)
      pages.text('Level 2 (3-4 marks): explains one side with some evidence.', left + 16, 170)
      pages.text('Level 1 (1-2 marks): simple statements.', left + 16, 190)
    },
  },
]

function drawBoldRedQuiz(pages: Parameters<ExamLayout['draw']>[0], right: string): void {
  pages.page('Rocks')
  for (const [i, [question, ...options]] of [
    ['1. Which rock forms from lava? (2 pts)', 'slate', 'basalt', 'chalk'],
    ['2. Which rock fizzes in acid? (2 pts)', 'granite', 'slate', 'limestone'],
  ].entries()) {
    const y = 110 + i * 90
    pages.text(question ?? '', left, y)
    for (const [n, option] of options.entries()) {
      const letter = 'abc'[n] ?? ''
      const style = right[i] === letter ? { font: 'Helvetica-Bold', colour: '#d00000' } : {}
      pages.text(`${letter}) ${option}`, left + 20, y + 20 + n * 18, style)
    }
  }
}
