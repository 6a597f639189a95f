import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const solutionLayouts: ExamLayout[] = [
  {
    name: 'points between a number and its first part',
    questions: questionRows([
      ['1 a', 1, 'the Nile', 'Nile'],
      ['1 b', 2, 'silt', 'mud'],
      ['2 a', 1, 'the Amazon', 'Congo'],
      ['2 b', 1, 'Brazil', 'Brazil'],
      ['3', 2, 'rain falls on the windward side', 'it rains before the hills'],
    ]),
    draw(pages, write) {
      pages.page('Rivers of the world')
      pages.text('1.  (3 points) (a) Which river runs through Cairo? [1 pt]', left, 120)
      write('1 a', left + 60, 142)
      pages.text('(b) What did its floods leave on the fields? [2 pts]', left + 20, 180)
      write('1 b', left + 60, 202)
      pages.text('2.  (2 points) (a) Which river carries the most water? [1 pt]', left, 260)
      write('2 a', left + 60, 282)
      pages.text('(b) In which country is its mouth? [1 pt]', left + 20, 320)
      write('2 b', left + 60, 342)
      pages.text('3.  (2 points) Why are valleys behind mountains dry?', left, 400)
      write('3', left + 60, 422)
    },
    key(pages) {
      pages.page('Rivers of the world')
      pages.text('1.  (3 points) (a) Which river runs through Cairo? [1 pt]', left, 120)
      pages.text('(b) What did its floods leave on the fields? [2 pts]', left + 20, 140)
      pages.text('Solution: (a) the Nile; (b) silt', left + 26, 162)
      pages.text('2.  (2 points) (a) Which river carries the most water? [1 pt]', left, 200)
      pages.text('(b) In which country is its mouth? [1 pt]', left + 20, 220)
      pages.text('Solution: (a) the Amazon; (b) Brazil', left + 26, 242)
      pages.text('3.  (2 points) Why are valleys behind mountains dry?', left, 280)
      pages.text('Solution: rain falls on the windward side', left + 26, 302)
    },
  },
  {
    name: 'words to match, which the key repeats behind their letters',
    questions: ['B', 'D', 'A', 'C'].map((expected, i) => ({
      number: `1.1.${i + 1}`,
      points: 1,
      kind: 'choice' as const,
      expected,
      answer: ['B', 'D', 'C', 'C'][i] ?? '',
    })),
    draw(pages, write) {
      pages.page()
      pages.bold('QUESTION 1', left, 70, { size: 13 })
      pages.text('1.1  Choose a description from COLUMN B for each item of COLUMN A. Write the letter.', left, 100)
      pages.text('COLUMN A', left + 40, 130)
      pages.text('COLUMN B', left + 260, 130)
      for (const [i, [word, description]] of [
        ['cirrus', 'fog that touches the ground'],
        ['cumulus', 'high and made of ice'],
        ['stratus', 'brings thunder and hail'],
        ['nimbus', 'a heap with a flat base'],
      ].entries()) {
        pages.text(`1.1.${i + 1}  ${word}`, left + 10, 160 + 30 * i)
        write(`1.1.${i + 1}`, left + 140, 160 + 30 * i)
        pages.text(`${'ABCD'[i]}  ${description}`, left + 260, 160 + 30 * i)
      }
      pages.text('(4 x 1)   (4)', right, 300, { end: true })
    },
    key(pages) {
      pages.page()
      pages.bold('QUESTION 1: marking guidelines', left, 70, { size: 13 })
      pages.text('1.1.1  B – high and made of ice', left, 110)
      pages.text('1.1.2  D – a heap with a flat base', left, 134)
      pages.text('1.1.3  A – fog that touches the ground', left, 158)
      pages.text('1.1.4  C – brings thunder and hail', left, 182)
      pages.text('(4 x 1)   (4)', right, 182, { end: true })
    },
  },
  {
    name: 'numbered equations, and functions of numbers',
    questions: questionRows([
      ['1', 5, '11', '11', 'number'],
      ['2', 5, '0.36', '0.4', 'number'],
      ['3', 5, '12', '12', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Functions and chances')
      for (const [i, text] of [
        'Let g(n) = 2 g(n - 1) + 1 and g(1) = 2. Calculate g(3).',
        'A bus is late on one day in five. What is the probability that it is late on one of two days or on both?',
        'How many ways are there to seat two of four guests?',
      ].entries()) {
        pages.paragraph(`${i + 1}. [5 points] ${text}`, left, 120 + 120 * i)
        write(`${i + 1}`, left + 40, 165 + 120 * i)
      }
    },
    key(pages) {
      pages.page()
      const equation = (text: string, number: number, y: number) => {
        pages.text(text, left + 60, y)
        pages.text(`(${number})`, right, y, { end: true })
      }
      pages.bold('Functions and chances: solutions', left, 70, { size: 16 })
      pages.text('1.  By the rule we find', left, 110)
      equation('g(2) = 2 × g(1) + 1 = 5', 1, 132)
      equation('g(3) = 2 × g(2) + 1 = 11', 2, 154)
      pages.text('2.  On both days it is on time with', left, 200)
      equation('p = 0.8 × 0.8 = 0.64', 3, 222)
      equation('q = 1 - p = 0.36', 4, 244)
      pages.text('3.  The answer is 12. The first chair has four guests to choose from, the second three.', left, 290)
    },
  },
  {
    name: 'what is given beside the working',
    questions: questionRows([
      ['1', 4, '-80 m/s²', '80 m/s²', 'number'],
      ['2', 4, '18.5 m/s', '18.5 m/s', 'number'],
    ]),
    draw(pages, write) {
      pages.page('Motion')
      pages.text('1.  A ball that flies at 8 m/s is stopped in 0.1 s. What is its acceleration? (4 points)', left, 110)
      write('1', left + 40, 160)
      pages.text('2.  A cart at 2.5 m/s speeds up by 2 m/s² for 8 s. What is its final velocity? (4 points)', left, 230)
      write('2', left + 40, 280)
    },
    key(pages) {
      pages.page('Motion: key')
      const solution = (y: number, given: string[], working: string[]) => {
        pages.text('Solution:', left + 10, y)
        for (const [i, text] of given.entries()) pages.text(text, left + 100, y + 22 * i)
        for (const [i, text] of working.entries()) pages.text(text, left + 260, y + 22 * i)
      }
      pages.text('1.  A ball that flies at 8 m/s is stopped in 0.1 s. What is its acceleration?', left, 110)
      solution(132, ['u = 8 m/s', 'v = 0', 't = 0.1 s', 'a = ?'], ['a = (v - u) / t', '= (0 - 8) / 0.1', '= -80 m/s²'])
      pages.text('2.  A cart at 2.5 m/s speeds up by 2 m/s² for 8 s. What is its final velocity?', left, 250)
      solution(272, ['u = 2.5 m/s', 'a = 2 m/s²', 't = 8 s', 'v = ?'], ['v = u + at', '= 2.5 + 2 × 8', '= 18.5 m/s'])
    },
  },
]
