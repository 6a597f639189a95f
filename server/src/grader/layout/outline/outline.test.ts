import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper, type LineSpec } from '../../testing/build-paper.ts'
import { printedLinesOf } from '../match-printed-lines.ts'
import { visibleLines } from '../paper-lines.ts'
import { readQuestions } from './read-questions.ts'

type Style = (number: number) => string

const NUMBERS: Style[] = [
  (n) => `${n}.`,
  (n) => `${n})`,
  (n) => `Question ${n}:`,
  (n) => `Problem ${n}.`,
  (n) => `Q${n}.`,
  (n) => `Exercise ${n}`,
]
const letter = (n: number) => String.fromCharCode(96 + n)
const PARTS: Style[] = [(n) => `(${letter(n)})`, (n) => `${letter(n)})`, (n) => `(${['i', 'ii', 'iii', 'iv'][n - 1]})`]
const POINTS: Style[] = [(n) => `(${n} points)`, (n) => `[${n} marks]`, (n) => `(${n} pts)`]

const ASKED = [
  'Explain why leaves turn red in autumn.',
  'What does a thermostat measure?',
  'Describe how a canal lock works.',
  'Calculate the area of the courtyard.',
  'Which river crosses the valley?',
  'State two uses of copper.',
]
const asked = (n: number) => ASKED[n % ASKED.length] ?? ''

interface Layout {
  number: Style
  part: Style
  points: Style
  /** None where the question is asked itself. */
  parts: number[]
  indent: number
  left: number
  instructions: boolean
}

function paperOf({ number, part, points, parts, indent, left, instructions }: Layout) {
  const lines: LineSpec[] = []
  const numbers: string[] = []
  let y = 60
  const add = (text: string, x = left) => {
    lines.push({ text, box: { x, y, width: text.length * 5.5, height: 11 } })
    y += 18
  }
  add('Geography of rivers, second test')
  if (instructions)
    for (const [i, text] of [
      'Write your name on this sheet.',
      'You may use a calculator.',
      'Do not open the booklet.',
    ].entries())
      add(`${i + 1}. ${text}`)
  for (const [i, count] of parts.entries()) {
    const worth = points(4 + i)
    if (count === 0) {
      numbers.push(String(i + 1))
      add(`${number(i + 1)} ${asked(i)} ${worth}`)
    } else add(`${number(i + 1)} Look at the map of the delta.`)
    for (let k = 1; k <= count; k += 1) {
      const label = part(k)
      numbers.push(`${i + 1} ${label.replace(/\W/g, '')}`)
      add(`${label} ${asked(i + k)} ${points(k + 1)}`, left + indent)
    }
    y += 24
  }
  return { paper: buildPaper(lines), numbers }
}

const layouts = fc.record({
  number: fc.constantFrom(...NUMBERS),
  part: fc.constantFrom(...PARTS),
  points: fc.constantFrom(...POINTS),
  parts: fc.array(fc.constantFrom(0, 0, 2, 3), { minLength: 3, maxLength: 6 }),
  indent: fc.constantFrom(0, 12, 24),
  left: fc.constantFrom(40, 72, 90),
  instructions: fc.boolean(),
})

describe('the outline of a paper', () => {
  it('stays the same whatever the style of its labels, their indent and the form of the points', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const { paper, numbers } = paperOf(layout)
        expect(readQuestions(visibleLines(paper)).questions.map(({ number }) => number)).toEqual(numbers)
      }),
    )
  })

  it('has no numbers of code lines, of marks in the margin or of a cover’s instructions', () => {
    const at = (text: string, x: number, y: number): LineSpec => ({
      text,
      box: { x, y, width: text.length * 5.5, height: 11 },
    })
    const paper = buildPaper([
      at('1. Write your name in ink.', 60, 60),
      at('2. Do not use a calculator.', 60, 78),
      at('Problem 1. What does this function return for n = 3? (5 points)', 60, 120),
      at('1 def twice(n):', 80, 140),
      at('2 m = n + n', 80, 156),
      at('3 return m', 80, 172),
      at('Problem 2. Name the bug in line 2. (3 points)', 60, 220),
      at('Problem 3. Why is the loop endless? (4 points)', 60, 280),
    ])
    expect(readQuestions(visibleLines(paper)).questions.map(({ number, points }) => [number, points])).toEqual([
      ['1', 5],
      ['2', 3],
      ['3', 4],
    ])
  })

  it('has no options for questions, whatever their labels and however the key names the right one', () => {
    const options = fc.constantFrom<Style>(
      (n) => `${letter(n).toUpperCase()})`,
      (n) => `${letter(n).toUpperCase()}.`,
      (n) => `(${letter(n).toUpperCase()})`,
      (n) => `${letter(n)})`,
      (n) => `(${letter(n)})`,
    )
    const choices = [
      ['Which metal is the softest?', 'iron', 'lead', 'zinc', 'tin'],
      ['Which of these rivers is the longest?', 'Rhine', 'Volga', 'Seine', 'Tagus'],
      ['The capital of Peru is', 'Quito', 'Lima', 'Bogotá', 'La Paz'],
      ['Who painted the ceiling?', 'a painter from Florence', 'a monk', 'nobody knows', 'his pupils'],
    ]
    fc.assert(
      fc.property(options, fc.constantFrom(...NUMBERS), fc.boolean(), (option, number, repeats) => {
        const print = choices.map(([ask = '', ...others], i) => [
          `${number(i + 1)} ${ask}`,
          ...others.map((text, k) => `${option(k + 1)} ${text}`),
        ])
        const blank = buildPaper(print.flat())
        const key = buildPaper(
          repeats ? print.flatMap((lines) => [...lines, 'Answer: B']) : print.map((_, i) => `${number(i + 1)} B`),
        )
        const numbers = readQuestions(visibleLines(blank), visibleLines(key)).questions.map((one) => one.number)
        expect(numbers).toEqual(['1', '2', '3', '4'])
      }),
    )
  })

  it('is found again by its rubric, also where a teacher has numbered a question otherwise', () => {
    const blank = buildPaper([
      '1. Use a pen.',
      '2. Do not use a calculator.',
      'Question 1: Why do leaves turn red in autumn? (4 points)',
      'Question 2: What does a thermostat measure? (2 points)',
      '1 read(t)',
      '2 print(t)',
      'Question 3: Name a river of the delta. (1 point)',
    ])
    const rubric = generateRubric(
      blank,
      buildPaper(['Question 1: less light', 'Question 2: heat', 'Question 3: Rhine']),
    )
    const found = () =>
      printedLinesOf(rubric, blank).lines.flatMap(({ text, question, page }) =>
        page > 0 && text.startsWith('Question') ? [question] : [],
      )
    expect(found()).toEqual(['q1', 'q2', 'q3'])
    for (const question of rubric.questions) if (question.id === 'q3') question.number = '7'
    expect(found()).toEqual(['q1', 'q2', 'q3'])
  })

  it('is found again with its marks in a column, and where a line has two labels', () => {
    const row = (y: number, ...parts: [number, string][]): LineSpec => {
      const cells = parts.map(([x, text]) => ({ text, x, width: text.length * 5.5 }))
      const text = cells.map((cell) => cell.text).join(' ')
      return { text, cells, box: { x: cells[0]?.x ?? 0, y, width: 480, height: 11 } }
    }
    const blank = buildPaper([
      row(60, [60, '1. A ferry crosses a strait.']),
      row(80, [80, '(a) How long does it take?'], [540, '[2]']),
      row(120, [80, '(b) How fast is it?'], [540, '[2]']),
      row(160, [80, '(c) Name the strait.'], [540, '[1]']),
      row(200, [60, '2. Work these out.']),
      row(220, [80, '(a) 7 × 8 = ______'], [300, '(b) 9 × 6 = ______']),
    ])
    const key = buildPaper(['1 (a) 2 h', '1 (b) 20 km/h', '1 (c) Øresund', '2 (a) 56', '2 (b) 54'])
    const rubric = generateRubric(blank, key)
    const owners = printedLinesOf(rubric, blank).lines.map(({ question }) => question)
    expect(owners).toEqual(['q1a', 'q1a', 'q1b', 'q1c', 'q2a', 'q2a'])
  })

  it('has no question at a label that only ends like its number', () => {
    const blank = buildPaper(['10. Why do cats purr?', '11. Name a breed.', '2. = 3 + 4'])
    const rubric = generateRubric(blank, buildPaper(['10. they are calm', '11. Manx']))
    const [known] = rubric.questions
    if (known) rubric.questions.push({ ...known, id: 'q12', number: '12', prompt: 'What is fur made of?', regions: [] })
    const print = printedLinesOf(rubric, blank).lines.find(({ text }) => text.startsWith('2.'))
    expect(print?.question).not.toBe('q12')
  })

  it('has the parts of a figure that are to be named', () => {
    const blank = buildPaper([
      '1. Name the parts A to C of the figure.',
      ...['A', 'B', 'C'].map((x) => `${x} ________________`),
    ])
    const numbers = readQuestions(visibleLines(blank)).questions.map(({ number }) => number)
    expect(numbers).toEqual(['1 a', '1 b', '1 c'])
  })

  it('is read from blank and key together', () => {
    const blank = buildPaper(['Field trip', '1 The bridge', 'Who built it?', '2 The mill', 'When did it burn down?'])
    const key = buildPaper(['1 The bridge', 'Solution: the monks', '2 The mill', 'Solution: in 1742'])
    const numbers = readQuestions(visibleLines(blank), visibleLines(key)).questions.map(({ number }) => number)
    expect(numbers).toEqual(['1', '2'])
  })
})

const BLANK = [
  'Spanish 1 – Unit 3',
  'A. Write the verb in the present tense. (1 point each)',
  '1. Yo ________ (hablar) con Ana.',
  '2. Ellos ________ (comer) pan.',
  'B. Complete the table. (4 points)',
  'singular plural',
  'libro ________',
  'flor ________',
  'C. Circle the right word. (2 points each)',
  '1. Me gusta / gustan la música.',
  '2. Voy a / en la escuela.',
]

describe('sections by letters that number anew', () => {
  const { questions } = generateRubric(
    buildPaper(BLANK),
    buildPaper([
      ...BLANK.slice(0, 2),
      '1. Yo hablo (hablar) con Ana.',
      '2. Ellos comen (comer) pan.',
      ...BLANK.slice(4, 6),
      'libro libros',
      'flor flores',
      ...BLANK.slice(8),
    ]),
  )

  it('names their questions, and takes one without numbers for a question', () => {
    const points = questions.map(({ number, criteria }) => [number, criteria.reduce((sum, one) => sum + one.points, 0)])
    expect(points).toEqual([
      ['A 1', 1],
      ['A 2', 1],
      ['B', 4],
      ['C 1', 2],
      ['C 2', 2],
    ])
    expect(new Set(questions.map(({ id }) => id)).size).toBe(5)
  })

  it('begins a prompt with what its section asks', () => {
    expect(questions[3]?.prompt).toContain('Circle the right word.')
    expect(questions[1]?.criteria[0]?.expected).toBe('comen')
  })

  it('leaves options by letters alone', () => {
    const options = (number: number, ...texts: string[]) => [
      `${number}. Which one is it? (2 points)`,
      ...texts.map((text, i) => `${'ABC'[i]}. ${text}`),
    ]
    const blank = buildPaper([...options(1, 'Mars', 'Venus', 'Earth'), ...options(2, 'iron', 'gold', 'tin')])
    const numbers = generateRubric(blank, buildPaper(['1. B', '2. C'])).questions.map(({ number }) => number)
    expect(numbers).toEqual(['1', '2'])
  })
})
