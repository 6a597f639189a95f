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

describe('a scheme', () => {
  it('has its points by sentences where marks stand inside them, wherever the lines end', () => {
    const lines = prose(
      'The light-dependent reactions make ATP (2 points) in the',
      'thylakoid. The Calvin cycle fixes carbon dioxide (2 points), which needs',
      'ATP. Sugars leave (1 point) as starch (1 point) or sucrose.',
    )
    expect(expectedOf(lines, 6)).toEqual([
      ['The light-dependent reactions make ATP in the thylakoid.', 2],
      ['The Calvin cycle fixes carbon dioxide, which needs ATP.', 2],
      ['Sugars leave', 1],
      ['as starch', 1],
    ])
    const lost = expectedOf(prose('Heat is lost (1) through the skin (1), mostly at night.'), 2)
    expect(lost[1]).toEqual(['through the skin, mostly at night.', 1])
    expect(expectedOf(prose('Fur (1) keeps warm (1)', 'Explains migration 2 marks'), 2)).toHaveLength(1)
    const listed = prose('A thesis (1); a = (½)(r + p) (1).', 'A conclusion (2 points)')
    expect(expectedOf(listed, 4).map(([, points]) => points)).toEqual([1, 1, 2])
  })

  it('takes other ways to the same marks as alternatives, point by point', () => {
    const key =
      'Thick fur (1) keeps heat in (1); OR white fur (1) hides it in snow (1); OR big paws (1) spread its weight (1). [2]'
    const { criteria } = readScheme(prose(key), 2)
    expect(criteria.map(({ expected, alternatives, points }) => [expected, alternatives, points])).toEqual([
      ['Thick fur', ['white fur', 'big paws'], 1],
      ['keeps heat in', ['hides it in snow', 'spread its weight'], 1],
    ])
  })

  it('takes more points than there are marks for a pool of them, in prose as in a table', () => {
    const pool = 'any two of: rain; wind; ice'
    expect(readScheme(prose('rain (1); wind (1); ice (1).'), 2)).toMatchObject({ expected: pool, criteria: [] })
    const rows = ['rain', 'wind', 'ice'].map((text) => ({ text, right: 100, points: 1 }))
    expect(readScheme(rows, 2)).toMatchObject({ expected: pool, criteria: [] })
    expect(readScheme(rows, 3).criteria).toHaveLength(3)
    const coded = rows.map((row, i) => ({ ...row, code: i === 2 ? 'A' : 'M' }))
    expect(readScheme(coded, 2).criteria).toHaveLength(3)
  })

  it('leaves labels of marks out where the points follow with marks of their own', () => {
    const key = '1 mark for a reason, 1 mark for an explanation. Ports grew (1) because trade was cheap by sea (1). [2]'
    expect(expectedOf(prose(key), 2)).toEqual([
      ['Ports grew', 1],
      ['because trade was cheap by sea', 1],
    ])
  })

  it('has a criterion for each marked line of a program, with the lines below it', () => {
    const program = [
      'def largest(xs):        # 1 header',
      '    best = xs[0]        # 1 starts with the first',
      '    for x in xs:        # 1 loop',
      '        if x > best:    # 1 test',
      '            best = x',
      '    return best         # 1',
      'Any working program gets full marks.',
    ]
    const { criteria, notes } = readScheme(prose(...program), 5)
    expect(criteria.map(({ text, expected }) => [text, expected])).toEqual([
      ['header', 'def largest(xs):'],
      ['starts with the first', 'best = xs[0]'],
      ['loop', 'for x in xs:'],
      ['test', 'if x > best:\nbest = x'],
      ['return best', 'return best'],
    ])
    expect(notes).toEqual(['Any working program gets full marks.'])
    expect(expectedOf(prose('SELECT name FROM Pets  -- 1', 'WHERE age > 3  -- 1'), 2)).toEqual([
      ['SELECT name FROM Pets', 1],
      ['WHERE age > 3', 1],
    ])
  })
})

it.each([
  ['60 plus or minus 5', []],
  ['more or less constant', []],
  ['ice or frost', ['frost']],
])('“%s” has the alternatives %j', (text, alternatives) => {
  expect(readScheme(prose(text), 2).alternatives).toEqual(alternatives)
})

describe('points a key lists', () => {
  it('gives one mark for each bullet where there are as many as marks, and joins what wraps', () => {
    const cell: KeyLine[] = [
      { text: '• roots hold the soil together in heavy', right: 480, points: 2 },
      { text: 'rain', right: 90 },
      { text: '• less water runs off', right: 200 },
    ]
    const expected = [
      ['roots hold the soil together in heavy rain', 1],
      ['less water runs off', 1],
    ]
    expect(expectedOf(cell)).toEqual(expected)
    expect(expectedOf(prose('• roots hold the soil together in heavy', 'rain', '• less water runs off'), 2)).toEqual(
      expected,
    )
  })

  it('keeps the members of a pool whole that wrap, and leaves the foot of the table out', () => {
    const cell: KeyLine[] = [
      { text: 'Any two from:', right: 100, points: 2 },
      { text: '• wear goggles at all times, also when', right: 480 },
      { text: 'washing up', right: 130 },
      { text: '• tie back hair', right: 150 },
      { text: '• stand up', right: 120 },
      { text: 'Total', right: 90 },
    ]
    expect(readScheme(cell, 2).expected).toBe(
      'any two of: wear goggles at all times, also when washing up; tie back hair; stand up',
    )
  })

  it('takes “one mark for each” with more than enough below or behind it for a pool', () => {
    const list = prose('Award 1 point for each duty, up to 2:', 'to pay taxes', 'to obey the law', 'to serve on a jury')
    expect(readScheme(list, 2).expected).toBe('any two of: to pay taxes; to obey the law; to serve on a jury')
    const examples = prose(
      'One mark for each valid use, up to two, e.g. to cook; to heat / warm rooms; to light streets.',
    )
    expect(readScheme(examples, 2).expected).toBe('any two of: to cook; to heat / warm rooms; to light streets')
  })

  it('reads marks in brackets that are given for own figures too', () => {
    expect(expectedOf(prose('12,000 – 4,500 (1 OF) = $7,500 (1 OF)'), 2)).toEqual([
      ['12,000 – 4,500', 1],
      ['= $7,500', 1],
    ])
    expect(expectedOf(prose('7.5 × 4 (1ft) = 30 (1, ecf)'), 2)).toEqual([
      ['7.5 × 4', 1],
      ['= 30', 1],
    ])
  })

  it('takes no number that a function is of for a mark', () => {
    const key = readScheme(prose('h(4) = 4 × h(2) and h (2) = 2 × (1), so h(4) = 8'), 4)
    expect(key.criteria).toEqual([])
  })

  it('takes a number in brackets behind a letter of an answer for a mark', () => {
    expect(expectedOf(prose('uses V/R (1) 2 A(1)'), 2)).toEqual([
      ['uses V/R', 1],
      ['2 A', 1],
    ])
    expect(expectedOf(prose('force is bigger (1) because of N(1)'), 2)).toHaveLength(2)
  })

  it('takes what earns half the credit, and which answers count, for notes to the marker', () => {
    const half = readScheme(prose('1.41 (its square for half credit)'), 2)
    expect([half.expected, half.notes]).toEqual(['1.41', ['its square for half credit']])
    const first = readScheme(prose('2 and 5 (Mark first TWO only)'), 2)
    expect([first.expected, first.notes]).toEqual(['2 and 5', ['Mark first TWO only']])
  })

  it('reads codes in brackets behind the answer they are for', () => {
    const { criteria, notes } = readScheme(prose('4.5 cm² (M1 0.5 × (2 + 4) × 1.5, A1 4.5; –1 if unit missing)'), 2)
    expect(criteria.map(({ expected, points, code }) => [expected, points, code])).toEqual([
      ['0.5 × (2 + 4) × 1.5', 1, 'M'],
      ['4.5 cm²', 1, 'A'],
    ])
    expect(notes).toEqual(['–1 if unit missing'])
    expect(readScheme(prose('£12 (M1 40 × 0.3, A1 12)'), 5)).toMatchObject({ expected: '£12', criteria: [] })
  })

  it.each([
    ['7.5 J (2 for the number, 1 for the unit)', 3, ['7.5', 'J']],
    [
      'W = 2.5 × 3 = 7.5 J. 1 mark for working, 1 mark for the answer and 1 mark for units.',
      3,
      ['W = 2.5 × 3', '7.5', 'J'],
    ],
    ['-6 °C [1 point for the value, 1 point for the minus sign]', 2, ['6 °C', '-6 °C']],
    ['0.40 kg (1 for correct figure + 1 for significant figures)', 2, ['2 significant figures', '0.40 kg']],
  ])('gives each part of a number the points the key names for it: %s', (key, worth, parts) => {
    const { criteria, notes } = readScheme(prose(key), worth)
    expect([criteria.map(({ expected }) => expected), notes]).toEqual([parts, []])
    const other = readScheme(prose(key), worth + 1)
    expect([other.criteria, other.notes.length]).toEqual([[], 1])
  })

  it('reads such a note beside a row, and other answers part by part', () => {
    const row = { text: '7.5 J', right: 90, points: 3, guidance: '2 for the value, 1 for the unit. Accept 7.4 J' }
    expect(readScheme([row], 3).criteria.map(({ points, alternatives }) => [points, alternatives])).toEqual([
      [2, ['7.5 J', '7.4', '7.4 J']],
      [1, []],
    ])
  })

  it('keeps what each mark is for out of the answer', () => {
    expect(readScheme(prose('mercury, venus, earth (1 point each in the right place)'), 3)).toMatchObject({
      expected: 'mercury, venus, earth',
      notes: ['1 point each in the right place'],
    })
    expect(readScheme(prose('False. It takes a year. 1 pt for F, 1 pt for the correction.'), 2).expected).toBe(
      'False. It takes a year.',
    )
    expect(
      expectedOf(prose('2 points for each part:', 'birds have feathers (2)', 'reptiles have scales (2)'), 4),
    ).toEqual([
      ['birds have feathers', 2],
      ['reptiles have scales', 2],
    ])
  })
})
