import { describe, expect, it } from 'vitest'
import { readQuestions } from '../layout/outline/read-questions.ts'
import { visibleLines } from '../layout/paper-lines.ts'
import { buildPaper, type LineSpec } from '../testing/build-paper.ts'
import { generateRubric } from './generate-rubric.ts'
import { readScheme } from './key/read-scheme.ts'

const prose = (...texts: string[]) => texts.map((text) => ({ text, right: 500 }))
const at = (text: string, x: number, y: number, height = 11): LineSpec => ({
  text,
  box: { x, y, width: text.length * 6, height },
})

describe('papers as universities set them', () => {
  it('finds questions whose headings open several pages', () => {
    const paper = buildPaper(
      ['Discrete structures', '', '', 'Question 1', '(i) Name a planet. [1]', '(ii) Name a star. [1]'],
      [at('Question 2', 72, 70), '', '', '(i) Name a moon. [2]', '(ii) Name a comet. [2]'],
      [at('Question 3', 72, 70), '', '', '(i) Why is the sky dark? [3]', '(ii) Why is Mars red? [3]'],
    )
    expect(readQuestions(visibleLines(paper)).questions.map(({ number, points }) => `${number}: ${points}`)).toEqual([
      '1 i: 1',
      '1 ii: 1',
      '2 i: 2',
      '2 ii: 2',
      '3 i: 3',
      '3 ii: 3',
    ])
  })

  it('reads marks in brackets between label and words, and no numbers that count up', () => {
    const marks = buildPaper([
      '1. (5 marks) Convert.',
      '(a) (1) 0x2F to decimal',
      '(b) (1) 202 to binary',
      '(c) (3) Explain why.',
    ])
    expect(readQuestions(visibleLines(marks)).questions.map(({ points, texts }) => [points, texts[0]])).toEqual([
      [1, '0x2F to decimal'],
      [1, '202 to binary'],
      [3, 'Explain why.'],
    ])
    const counted = buildPaper(['1. (1) Name a gas. [4]', '2. (2) Name a metal. [4]', '3. (3) Name a salt. [4]'])
    expect(readQuestions(visibleLines(counted)).questions.map(({ points }) => points)).toEqual([4, 4, 4])
  })

  it('keeps the first question below a table of points with a row to fill in', () => {
    const cells = (texts: string[]) => texts.map((text, i) => ({ text, x: 200 + i * 60, width: 12 }))
    const row = (texts: string[], y: number): LineSpec => ({ ...at(texts.join(' '), 200, y), cells: cells(texts) })
    const paper = buildPaper([
      row(['Problem', '1', '2', 'Total'], 100),
      row(['Points', '4', '6', '10'], 115),
      at('Problem 1 [4 pts] Find the limit.', 72, 150),
      at('Problem 2 [6 pts] Find the integral.', 72, 300),
    ])
    expect(readQuestions(visibleLines(paper)).questions.map(({ number }) => number)).toEqual(['1', '2'])
  })

  it('gives the upper row of a matrix to the question beside it', () => {
    const paper = buildPaper([
      at('Problem 1 [2 pts] Find the limit.', 72, 100),
      at('2 1 1 −1', 220, 193),
      at('Problem 2 [4 pts] Let A = and B = .', 72, 200),
      at('5 3 0 4', 220, 207),
    ])
    const [first, second] = readQuestions(visibleLines(paper)).questions
    expect(first?.lines.map(({ text }) => text)).toEqual(['Problem 1 [2 pts] Find the limit.'])
    expect(second?.lines.map(({ text }) => text)).toContain('2 1 1 −1')
  })
})

describe('their keys', () => {
  it('divides parts that stand beside each other', () => {
    const blank = buildPaper([
      '1. Convert.',
      '(a) 0x2F to decimal (1 mark)',
      '(b) 202 to binary (1 mark)',
      '2. Why? (2 marks)',
    ])
    const key = buildPaper(['1. (a) 47   (b) 11001010', '2. Because of noise.'])
    const expected = generateRubric(blank, key).questions.map(({ criteria }) => criteria[0]?.expected)
    expect(expected).toEqual(['47', '11001010', 'Because of noise.'])
  })

  it('reads marks in square brackets and “(1 pt)”, also beside the name of what they are for', () => {
    const criteria = (text: string) => readScheme(prose(text), 2).criteria.map(({ expected }) => expected)
    expect(criteria('It translates host names [1] into addresses [1].')).toEqual([
      'It translates host names',
      'into addresses',
    ])
    expect(criteria('phenolphthalein (1 pt); colorless to pink (1 pt)')).toEqual([
      'phenolphthalein',
      'colorless to pink',
    ])
    expect(criteria('Advantage [1]: cheaper to run. Disadvantage [1]: slower to start.')).toEqual([
      'Advantage: cheaper to run',
      'Disadvantage: slower to start',
    ])
  })

  it('takes “reject H0” for an answer, points that are said for no marks, and remarks for none', () => {
    expect(readScheme(prose('Reject H0; the mean differs from 12.'), 2).expected).toContain('Reject H0')
    expect(readScheme(prose('the score increases by 4 points'), 4)).toMatchObject({
      expected: 'the score increases by 4 points',
      criteria: [],
    })
    const noted = readScheme(prose('A, C (1 mark each; minus 1 for each wrong letter)'), 2)
    expect([noted.expected, noted.notes.length]).toEqual(['A, C', 1])
    const last = readScheme(prose('a number of a sample', 'Half credit for a correct method.'), 2)
    expect([last.expected, last.notes]).toEqual(['a number of a sample', ['Half credit for a correct method.']])
  })

  it('takes marks for some of the answer, and what is condoned, for notes', () => {
    const lines = [{ text: 'T, F, T, T', right: 200, points: 2, code: 'B', guidance: 'B1 for three correct' }]
    expect(readScheme(lines, 2).criteria.map(({ expected }) => expected)).toEqual(['T, F, T, T'])
    const braces = readScheme([{ text: '{2, 4}', right: 200, points: 1, guidance: 'condone missing braces' }], 1)
    expect(JSON.stringify([braces.criteria, braces.alternatives])).not.toContain('braces')
  })
})
