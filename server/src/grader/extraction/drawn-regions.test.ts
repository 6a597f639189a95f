import type { Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { generateRubric } from '../rubric/generate-rubric.ts'
import { buildPaper } from '../testing/build-paper.ts'
import { extractAnswers } from './extract-answers.ts'

const Q1 = '1. Explain how a plant makes its own food. (10 points)'
const Q2 = '2. Which gas does it take in, and which does it give off? (5 points)'
const print = (...foot: string[]) => ['Biology quiz 3', Q1, Q2, '', '', 'Use the box for question 1.', ...foot]
const blank = buildPaper(print())
const rubric = generateRubric(blank, buildPaper(['1. with light', '2. carbon dioxide; oxygen']))

/** At the page's foot, which the text's order gives to no question. */
const foot = { x: 60, y: 60 + 6 * 16 - 4, width: 480, height: 100 }
const withRegion = (drawn: boolean): Rubric => ({
  ...rubric,
  questions: rubric.questions.map((question) =>
    question.number === '1'
      ? {
          ...question,
          regions: [...question.regions, { page: 1, box: foot, ...(drawn ? { drawn: true as const } : {}) }],
        }
      : question,
  ),
})
const textsOf = (by: Rubric, paper: ReturnType<typeof buildPaper>) =>
  extractAnswers(by, blank, paper).answers.map(({ text }) => text)

describe('an answer area drawn by a person', () => {
  const answered = buildPaper(print('It needs light', 'and water.'))

  it('takes what is written in it, whatever the order of the text says', () => {
    expect(textsOf(withRegion(false), answered)).not.toEqual(['It needs light\nand water.', ''])
    expect(textsOf(withRegion(true), answered)).toEqual(['It needs light\nand water.', ''])
    expect(extractAnswers(withRegion(true), blank, answered).answers[0]?.found).toBe(true)
  })

  it('outweighs an area that was found in the same place, for form fields too', () => {
    const lines = ['Biology quiz 3', Q1, '', '', '', '', Q2]
    const roomy = generateRubric(buildPaper(lines), buildPaper(['1. with light', '2. carbon dioxide; oxygen']))
    const box = { x: 72, y: 60 + 4 * 16, width: 200, height: 12 }
    const regions = [{ page: 1, box, drawn: true as const }]
    const drawn = { ...roomy, questions: roomy.questions.map((one, i) => (i === 1 ? { ...one, regions } : one)) }
    const filled = buildPaper([...lines, { text: 'oxygen', source: 'field', box }])
    const texts = (by: Rubric) => extractAnswers(by, buildPaper(lines), filled).answers.map(({ text }) => text)
    expect(texts(roomy)).toEqual(['oxygen', ''])
    expect(texts(drawn)).toEqual(['', 'oxygen'])
  })

  it('says nothing of a page that is laid out otherwise', () => {
    const moved = buildPaper(['', '', ...print('It needs light')])
    expect(textsOf(withRegion(true), moved)).toEqual(textsOf(rubric, moved))
  })

  it('has the options that are printed in it, for a question that only the teacher knows, too', () => {
    const lines = [
      'Science quiz',
      'About planets, ring the largest',
      'Mars Jupiter Venus',
      '1. Name a gas.',
      'Name a metal.',
    ]
    const quiz = buildPaper(lines)
    const row = quiz.pages[0]?.lines[2]?.box ?? foot
    const area = { page: 1, box: { x: 60, y: row.y - 8, width: 300, height: row.height + 16 }, drawn: true as const }
    const added: Rubric['questions'][number] = {
      id: 'q-added',
      number: '2',
      prompt: '',
      kind: 'choice',
      criteria: [{ id: 'q-added', text: 'The largest', points: 1, expected: 'Jupiter', alternatives: [] }],
      regions: [area],
    }
    const ring = { x: row.x + 5 * 6 - 4, y: row.y - 4, width: 50, height: 20 }
    const read = buildPaper(lines)
    const [page] = read.pages
    const ringed = { pages: page ? [{ ...page, shapes: [{ kind: 'frame' as const, box: ring }] }] : [] }
    const { answers } = extractAnswers({ problems: [], questions: [added] }, quiz, ringed)
    expect(answers).toMatchObject([{ text: 'Jupiter', found: true, evidence: [{ quote: 'Jupiter' }] }])
  })
})
