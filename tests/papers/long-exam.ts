import { type ExamLayout, type ExamPages, type LayoutQuestion, left, right } from './layouts/exam-layout.ts'

const QUESTIONS = 10
const PARTS = ['a', 'b', 'c', 'd'] as const
const TOP = 80
const BOTTOM = 735

const subjects = [
  'ice',
  'a spring',
  'copper wire',
  'salt water',
  'a pendulum',
  'sound',
  'a leaf',
  'steel',
  'sand',
  'air',
]

const passage = (subject: string) =>
  `A class of thirty pupils measured ${subject} on five days in spring and wrote down what they saw. They worked in groups of three, each with its own tools, and compared their figures at the end of every lesson. Two groups found that one of their scales showed too much by a tenth, and measured once more.`

const part = {
  a: (subject: string) => [
    `Describe how the class measured ${subject}.`,
    `They read ${subject} off a scale on five days.`,
  ],
  b: (_subject: string, i: number) => [
    `A scale shows ${110 + i} g. It shows too much by a tenth. Work out the true mass.`,
    `${100 + i} g`,
  ],
  c: (subject: string) => [
    `Explain why the figures for ${subject} differ between the groups.`,
    'Each group has tools of its own, and no two scales show quite the same.',
  ],
  d: () => ['True or false: to measure twice makes a figure surer.', 'True'],
} as const

const points = { a: 2, b: 1, c: 3, d: 1 } as const
const kinds = { a: 'text', b: 'number', c: 'text', d: 'true_false' } as const

const all = subjects.slice(0, QUESTIONS).flatMap((subject, i) =>
  PARTS.map((name) => {
    const [prompt = '', expected = ''] = part[name](subject, i)
    const number = `${i + 1} ${name}`
    const question: LayoutQuestion = { number, points: points[name], kind: kinds[name], expected, answer: expected }
    return { ...question, prompt, subject, name }
  }),
)

/** A cover, ten questions of four parts, a passage before each question, ruled lines to write on. */
export const longExam: ExamLayout = {
  name: 'twelve pages and forty parts, some of which stand where others have a header',
  questions: all,
  draw(pages, write) {
    cover(pages)
    let y = BOTTOM
    for (const { number, name, points: worth, prompt, subject } of all) {
      const room = name === 'a' || name === 'c' ? 5 : 2
      if (y + (name === 'a' ? 110 : 40) + room * 30 > BOTTOM) {
        pages.page()
        pages.text('Measuring things', left, 40, { size: 9 })
        y = TOP
      }
      if (name === 'a') y = pages.paragraph(`${number.split(' ')[0]}.  ${passage(subject)}`, left, y) + 14
      const text = `(${name})  ${prompt} [${worth}]`
      y = pages.paragraph(text, left + 20, y, right - left - 20) + 16
      write(number, left + 44, y + 2)
      for (let line = 0; line < room; line++) pages.rule(left + 40, right, y + 6 + line * 30)
      y += room * 30 + 10
    }
  },
}

function cover(pages: ExamPages): void {
  pages.page()
  pages.bold('Measuring things: end of year examination', left, 120, { size: 18 })
  pages.text('Name ______________________   Class ____________', left, 170)
  pages.paragraph('Answer all questions in the spaces. Show your working. Do not write on this page.', left, 220)
}
