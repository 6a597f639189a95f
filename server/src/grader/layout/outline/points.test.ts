import { describe, expect, it } from 'vitest'
import type { PlacedLine } from '../paper-lines.ts'
import { readEachRules, readNamedPoints, readPercent, readProductRule, readTotal } from './points.ts'
import { readQuestions } from './read-questions.ts'

const worth = (text: string) => readNamedPoints(text)?.points ?? null

describe('points in a text', () => {
  it.each([
    ['Draw the kite. (3 points)', 3],
    ['[2] Name a lake', 2],
    ['Sum it up. [4]', 4],
    ['Lake Part (24 points; 2 each)', 24],
    ['(6 × 1 mark)', 6],
    ['(4 x 2) (8)', 8],
    ['(5+4+3=12)', 12],
    ['Rubric: Max 7 points: 4 for the plan', 7],
    ['7 points = 4 for the plan', 7],
    ['Score ____/15', 15],
    ['1 mark for a reason', null],
    ['Each lake is worth 2 points.', null],
    ['Find (4 x 2)', null],
    ['Find (4 + 2)', null],
    ['Name both. [1+2]', 3],
    ['Find f(3)', null],
    ['Evaluate f (2)', null],
    ['Work out the value of h (3)', 3],
  ])('reads %s', (text, points) => expect(worth(text)).toBe(points))

  it('reads what each of several is worth, of which, and how many these are', () => {
    const rule = { of: null, numbers: null, section: null, count: null }
    expect(readEachRules('Every part is worth half a point. 12 gaps, 2 points each')).toEqual([
      { ...rule, points: 0.5, of: 'part' },
      { ...rule, points: 2, of: 'part' },
    ])
    expect(readEachRules('Questions 3 to 6 carry 2 marks each, #7 and #8 are 5 pts.')).toEqual([
      { ...rule, points: 2, of: 'question', numbers: [3, 6] },
      { ...rule, points: 5, of: 'question', numbers: [7, 8] },
    ])
    expect(readEachRules('All questions in Part B are 3 pts')).toEqual([
      { ...rule, points: 3, of: 'question', section: 'b' },
    ])
    expect(readEachRules('There are 14 short questions, each worth 4 points. Each must be answered.')).toEqual([
      { ...rule, points: 4, of: 'question', count: 14 },
    ])
  })

  it('reads shares and totals', () => {
    expect(readPercent('Name the lake. 25%')?.points).toBe(25)
    expect(
      ['Total: 45', 'There are 60 points available', 'Full marks: 80', '30 trees in total'].map(readTotal),
    ).toEqual([null, 60, 80, null])
  })
})

/** “|” sets the last cell at the right margin. */
function linesOf(rows: string[]): PlacedLine[] {
  return rows.map((row, i): PlacedLine => {
    const [text = '', mark] = row.split('|').map((part) => part.trim())
    const cell = { text, x: text === '' ? 540 : 60, width: text.length * 5 }
    const cells = [...(text ? [cell] : []), ...(mark ? [{ text: mark, x: 540, width: mark.length * 5 }] : [])]
    return {
      text: cells.map((one) => one.text).join(' '),
      box: { x: cells[0]?.x ?? 60, y: 100 + i * 16, width: 300, height: 11 },
      cells,
      source: 'text',
      confidence: 1,
      page: 1,
      pageWidth: 595,
      pageHeight: 842,
    }
  })
}

const read = (rows: string[], key: string[] | null = null) =>
  Object.fromEntries(
    readQuestions(linesOf(rows), key && linesOf(key)).questions.map(({ number, points }) => [number, points]),
  )

describe('points of a paper', () => {
  it('takes what stands after the last part for all of them, and a sum below the parts for the whole', () => {
    const rows = [
      '1. Write the term for each:',
      '(a) A river that meets another one',
      '(b) The land that a river drains',
      '(c) The place where a river begins | (3)',
      '2. Look at the map.',
      '(a) Which river flows north? | (1)',
      '(b) Why does it bend? | (4)',
      ' | (5)',
    ]
    expect(read(rows)).toEqual({ '1 a': 1, '1 b': 1, '1 c': 1, '2 a': 1, '2 b': 4 })
  })

  it('takes points from instructions that run on, and from those of one question’s own', () => {
    const rows = [
      'Rivers and lakes. Each question is worth 3',
      'points.',
      '1. Which lake is deepest?',
      '2. Which river is longest?',
      '3. Name four seas. (8 points; 2 each)',
      '(a) The northern one is called',
      '(b) The southern one is called',
      '(c) The western one is called',
      '(d) The eastern one is called',
    ]
    expect(read(rows)).toEqual({ 1: 3, 2: 3, '3 a': 2, '3 b': 2, '3 c': 2, '3 d': 2 })
  })

  it('takes what instructions say of parts that only have a heading of their own', () => {
    const rows = [
      'All questions in Part A are 1 pt. All questions in Part B are 3 pts.',
      'A. Look at the first map.',
      '1. Which lake is deepest?',
      '2. Which river is longest?',
      'B. Look at the second map.',
      '3. Why does the river bend?',
      '4. How was the lake made?',
    ]
    expect(read(rows)).toEqual({ 1: 1, 2: 1, 3: 3, 4: 3 })
    const options = ['A. Baikal', 'B. Como', 'C. Garda']
    expect(read(rows.toSpliced(3, 0, ...options))).toEqual({ 1: 1, 2: 1, 3: 3, 4: 3 })
  })

  it('takes sums of a heading, of a cover and above the parts', () => {
    const rows = [
      'Question 4 (20 points)',
      '1. Name a lake.',
      '2. Name a sea.',
      '3. Name both banks of the river. (4 points)',
      '(a) On the left there is',
      '(b) On the right there is',
      '4. Draw a map.',
    ]
    expect(read(rows)).toMatchObject({ '3 a': null, 4: 20 })
    expect(readProductRule('Short answers: 10 × 2 = 20 marks')).toMatchObject({ points: 2, count: 10 })
    expect(readProductRule('Rooms of 3 x 4 metres')).toBe(null)
  })

  it('takes points from the key where the blank has none', () => {
    const blank = ['1. Which lake is deepest?', '2. Which river is longest?', '3. Which sea is coldest?']
    const key = [
      '1. Which lake is deepest? (2)',
      'Baikal',
      '2. Which river is longest? (3)',
      'The Nile',
      '3. Which sea is coldest? (4)',
      'The Weddell Sea',
    ]
    expect(read(blank, key)).toEqual({ 1: 2, 2: 3, 3: 4 })
  })
})
