import { type ExamLayout, left, questionRows, right } from './exam-layout.ts'

export const numberingLayouts: ExamLayout[] = [
  {
    name: 'roman questions with lettered parts',
    questions: questionRows([
      ['i a', 2, 'It melts at a lower temperature.', 'it melts sooner'],
      ['i b', 3, '75 g', '75 g', 'number'],
      ['ii', 4, 'Sound needs a medium to travel.', 'There is no air in space'],
      ['iii', 1, 'False', 'false', 'true_false'],
    ]),
    draw(pages, write) {
      pages.page('Heat and sound: end of unit test')
      pages.text('Name ______________________   Date ____________', left, 96)
      pages.text('I.', left, 140)
      pages.paragraph('An alloy of tin and lead is used as solder.', left + 26, 140)
      pages.text('a)  Give one advantage of solder over pure tin. (2 pts)', left + 26, 162)
      write('i a', left + 50, 190)
      pages.text('b)  A wire of 200 g holds 62.5 % tin. What mass of lead is in it? (3 pts)', left + 26, 240)
      write('i b', left + 50, 268)
      pages.text('II.  Why is there no sound in space? (4 pts)', left, 330)
      write('ii', left + 26, 358)
      pages.text('III.  True or false: sound travels faster than light. (1 pt)', left, 440)
      write('iii', left + 26, 468)
    },
  },
  {
    name: 'sections that number anew',
    questions: questionRows([
      ['a 1', 1, 'the Senate', 'senate'],
      ['a 2', 1, '44', '45', 'number'],
      ['b 1', 4, 'Farms were ruined by war and bought up by the rich.', 'rich people bought the farms'],
      ['b 2', 4, 'Roads let armies and goods move quickly.', 'armies could move fast'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('The Roman Republic', left, 70, { size: 18 })
      pages.bold('Section A: short answers (1 mark each)', left, 120, { size: 13 })
      pages.text('1. Which body advised the consuls?', left, 150)
      write('a 1', left + 20, 174)
      pages.text('[1]', right, 150, { end: true })
      pages.text('2. In which year BC was Caesar killed?', left, 210)
      write('a 2', left + 20, 234)
      pages.text('[1]', right, 210, { end: true })
      pages.bold('Section B: longer answers', left, 290, { size: 13 })
      pages.text('1. Why did many small farmers lose their land?', left, 320)
      pages.text('[4]', right, 320, { end: true })
      write('b 1', left + 20, 346)
      pages.text('2. Explain why roads mattered to Rome.', left, 440)
      pages.text('[4]', right, 440, { end: true })
      write('b 2', left + 20, 466)
    },
  },
  {
    name: 'decimal numbers with marks in a margin column',
    questions: questionRows([
      ['1.1', 2, 'A change in price changes demand.', 'price up, demand down'],
      ['1.2', 3, '15 %', '15%', 'number'],
      ['2.1', 5, 'Rents rise because supply is fixed.', 'because supply is fixed'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('ECO 110 Midterm', left, 60, { size: 15 })
      pages.rule(right - 40, right - 40, 60)
      pages.bold('Marks', right, 90, { end: true, size: 9 })
      pages.bold('1.1', left, 120)
      pages.text('Define the price elasticity of demand.', left + 34, 120)
      pages.text('2', right - 8, 120, { end: true })
      write('1.1', left + 34, 148)
      pages.bold('1.2', left, 220)
      pages.text('A price rises from £20 to £23. By how many per cent does it rise?', left + 34, 220)
      pages.text('3', right - 8, 220, { end: true })
      write('1.2', left + 34, 248)
      pages.bold('2.1', left, 320)
      pages.text('Explain what happens to rents when a town grows.', left + 34, 320)
      pages.text('5', right - 8, 320, { end: true })
      write('2.1', left + 34, 348)
    },
  },
  {
    name: 'headings “Problem 1” with parts run in',
    questions: questionRows([
      ['1 a', 5, '2x + 3', '2x+3', 'formula'],
      ['1 b', 5, '7', '7', 'number'],
      ['2', 10, 'The series diverges because its terms do not tend to zero.', 'terms do not go to 0 so it diverges'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.text('MATH 2B', left, 50, { size: 10 })
      pages.text('Final exam, version C', right, 50, { size: 10, end: true })
      pages.bold('Problem 1 (10 points)', left, 100, { size: 12 })
      pages.text('Let f(x) = x² + 3x + 1.', left, 122)
      pages.text('(a) Find the derivative of f. (5 points)', left + 14, 146)
      write('1 a', left + 34, 176)
      pages.text('(b) Evaluate it at x = 2. (5 points)', left + 14, 260)
      write('1 b', left + 34, 290)
      pages.bold('Problem 2 (10 points)', left, 400, { size: 12 })
      pages.paragraph('Does the series with the terms n/(n+1) converge? Give your reason.', left, 422)
      write('2', left + 14, 456)
    },
  },
  {
    name: 'questions in bold without numbers',
    questions: questionRows([
      ['1', 3, 'A habit is behaviour that became automatic.', 'something you do without thinking'],
      ['2', 2, 'Ivan Pavlov', 'Pavlov'],
      ['3', 5, 'Rewards at random intervals make behaviour last.', 'random rewards keep it going'],
    ]),
    draw(pages, write) {
      pages.page()
      pages.bold('Learning and habits', left, 70, { size: 20 })
      pages.text('Answer in your own words.', left, 96)
      pages.bold('What is a habit? (3 points)', left, 140, { size: 12 })
      write('1', left, 170)
      pages.bold('Who studied dogs and bells? (2 points)', left, 240, { size: 12 })
      write('2', left, 270)
      pages.bold('Why do slot machines keep people playing? (5 points)', left, 340, { size: 12 })
      write('3', left, 370)
    },
  },
]
