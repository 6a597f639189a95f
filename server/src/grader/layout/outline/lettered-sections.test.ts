import { describe, expect, it } from 'vitest'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper } from '../../testing/build-paper.ts'

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
