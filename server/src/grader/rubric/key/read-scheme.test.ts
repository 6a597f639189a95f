import { describe, expect, it } from 'vitest'
import { findMarksColumn, type KeyLine, readMarkCell, toKeyLine } from './key-lines.ts'
import { readScheme } from './read-scheme.ts'

const prose = (...texts: string[]): KeyLine[] => texts.map((text) => ({ text, right: 500 }))
const expectedOf = (lines: KeyLine[], worth: number | null = null) =>
  readScheme(lines, worth).criteria.map(({ expected, points }) => [expected, points])

describe('what a key gives for a question', () => {
  it('has a criterion for each mark in brackets', () => {
    const lines = prose(
      'Solution: Resources are not equally suited to both goods (1). As more of one is made,',
      'worse ones have to be moved (1), so the cost of each unit rises (1).',
    )
    expect(expectedOf(lines)).toEqual([
      ['Resources are not equally suited to both goods', 1],
      ['As more of one is made, worse ones have to be moved', 1],
      ['so the cost of each unit rises', 1],
    ])
  })

  it('has one for each row of a table, with what wraps and what may be said instead', () => {
    const lines: KeyLine[] = [
      { text: 'at first weight is greater than air resistance, so the parachutist', right: 470, points: 1 },
      { text: 'accelerates', right: 160, points: 1, guidance: 'allow drag for air resistance' },
      { text: 'air resistance increases', right: 300, guidance: 'do not accept gravity' },
    ]
    const answer = readScheme(lines, 2)
    expect(answer.criteria.map(({ expected }) => expected)).toEqual([
      'at first weight is greater than air resistance, so the parachutist accelerates',
      'air resistance increases',
    ])
    expect(JSON.stringify([answer.alternatives, answer.criteria])).not.toContain('gravity')
    expect(answer.notes).toContain('do not accept gravity')
  })

  it('takes a pool for any so many of it, and levels for levels', () => {
    expect(readScheme(prose('Any two of: hydraulic action; abrasion; attrition. [2]'), 2)).toMatchObject({
      expected: 'any two of: hydraulic action; abrasion; attrition.',
      points: 2,
    })
    const levels = readScheme(
      [
        { text: 'Level 1 Simple statements.', right: 300 },
        { text: '1–2 marks', right: 100 },
        { text: 'Level 2 One reason explained.', right: 300 },
        { text: '3–4 marks', right: 100 },
      ],
      4,
    ).levels
    expect(levels).toEqual([
      { points: 4, text: 'One reason explained.' },
      { points: 2, text: 'Simple statements.' },
    ])
  })

  it('gives a method its mark and the result what is left', () => {
    expect(expectedOf(prose('x < 6', 'M1 for 3x < 18'), 2)).toEqual([
      ['3x < 18', 1],
      ['x < 6', 1],
    ])
  })

  it('never takes guidance for an answer', () => {
    const answer = readScheme(prose('friction. Do not accept gravity. Ignore spelling. Accept drag.'), 1)
    expect([answer.expected, answer.alternatives]).toEqual(['friction.', ['drag.']])
    expect(answer.notes).toHaveLength(2)
  })

  it('finds the column of marks and divides a row by it', () => {
    const row = (mark: string) => [
      { text: '(a)', x: 60, width: 20 },
      { text: 's = 9.99 m', x: 100, width: 60 },
      { text: mark, x: 400, width: 15 },
      { text: 'must see 9.99', x: 450, width: 60 },
    ]
    const rows = ['M1', 'A1', 'B1'].map((mark) => ({ cells: row(mark), margin: 60 }))
    const marks = findMarksColumn(rows)
    expect(toKeyLine(row('A1').slice(1), marks)).toMatchObject({
      text: 's = 9.99 m',
      points: 1,
      code: 'A1',
      guidance: 'must see 9.99',
    })
    expect(['2', '[2]', 'M1', '✓', '½', 'dM1'].map((text) => readMarkCell(text)?.points)).toEqual([2, 2, 1, 1, 0.5, 1])
    expect(['velocity', '12 m', '2(a)'].map(readMarkCell)).toEqual([null, null, null])
  })
})

it.each([
  ['60 plus or minus 5', []],
  ['more or less constant', []],
  ['ice or frost', ['frost']],
])('“%s” has the alternatives %j', (text, alternatives) => {
  expect(readScheme(prose(text), 2).alternatives).toEqual(alternatives)
})
