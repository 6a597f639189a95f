import type { Paper } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { visibleLines } from '../../layout/paper-lines.ts'
import { buildPaper, type LineSpec } from '../../testing/build-paper.ts'
import { findOwnerHints, nameIn } from './owner-hints.ts'

const at = (text: string, x: number, y: number, more: Partial<LineSpec> = {}): LineSpec => ({
  text,
  box: { x, y, width: text.length * 6, height: 12 },
  ...more,
})
const cells = (y: number, ...parts: [string, number][]): LineSpec => ({
  ...at(parts.map(([text]) => text).join(' '), parts[0]?.[1] ?? 0, y),
  cells: parts.map(([text, x]) => ({ text, x, width: text.length * 6 })),
})
const hintsOf = (paper: Paper, blank: Paper = buildPaper([])) =>
  findOwnerHints(visibleLines(paper), visibleLines(blank)).map(({ kind, text }) => `${kind}: ${text}`)

describe('the fields for a name and number', () => {
  const blank = buildPaper([
    cells(60, ['Chemistry mock', 60], ['Name', 320]),
    cells(80, ['Time: one hour', 60], ['Candidate number', 320]),
    at('1. Name two metals and give the class of each. (2)', 60, 120),
  ])
  const question = at('1. Name two metals and give the class of each. (2)', 60, 120)

  it('are read where they stand in a printed line', () => {
    const filled = buildPaper([
      cells(60, ['Chemistry mock', 60], ['Name', 320], ['Odile Brand', 360]),
      cells(80, ['Time: one hour', 60], ['Candidate number', 320], ['0815', 430]),
      question,
    ])
    expect(hintsOf(filled, blank)).toEqual(['name: Odile Brand', 'number: 0815'])
    const scanned = buildPaper([
      at('Chemistry mock Name 0dile Brond', 60, 60, { source: 'ocr' }),
      at('Time: one hour candidate number O8l5', 60, 80, { source: 'ocr' }),
      { ...question, source: 'ocr' },
    ])
    expect(hintsOf(scanned, blank)).toEqual(['name: 0dile Brond', 'number: O8l5'])
    // One word that is much like what print was lost.
    const inCells = cells(60, ['Chemistry', 60], ['Name', 320], ['Brond', 360])
    expect(hintsOf(buildPaper([{ ...inCells, source: 'ocr' }]), blank)).toEqual(['name: Brond'])
    expect(findOwnerHints(visibleLines(scanned), visibleLines(blank)).every(({ ocr }) => ocr)).toBe(true)
  })

  it('are read where they are form fields or notes over the page', () => {
    const printed = [
      cells(60, ['Chemistry mock', 60], ['Name', 320]),
      cells(80, ['Time: one hour', 60], ['Candidate number', 320]),
    ]
    for (const source of ['field', 'annotation'] as const) {
      const filled = buildPaper([
        at('Odile Brand', 360, 58, { source }),
        at('0815', 430, 79, { source }),
        ...printed,
        question,
      ])
      expect(hintsOf(filled, blank)).toEqual(['name: Odile Brand', 'number: 0815'])
    }
  })

  it.each<[string, string[], ...LineSpec[]]>([
    [
      'one line of both',
      ['name: Odile Brand', 'number: 0815'],
      at('Name: Odile Brand  Student ID: 0815  Date: 3 May', 60, 60),
    ],
    ['a label in brackets', ['name: Odile Brand'], at('Name (print): Odile Brand', 60, 60)],
    ['surname first', ['name: Brand, Odile'], at('Surname and first name: Brand, Odile', 60, 60)],
    [
      'fields for each',
      ['name: Odile Brand'],
      cells(60, ['Surname:', 60], ['Brand', 120], ['First name(s):', 300], ['Odile', 400]),
    ],
    [
      'the name below its label',
      ['name: Odile Brand'],
      at('Name of candidate', 60, 60),
      at('Name:', 60, 80),
      at('Odile Brand', 60, 100),
    ],
    ['the name above its label', ['name: Odile Brand'], at('Odile Brand', 60, 60), at('Name:', 60, 84)],
    [
      'a figure in each box',
      ['number: 0815'],
      cells(60, ['Matr.-Nr.:', 60], ['0', 150], ['8', 170], ['1', 190], ['5', 210]),
    ],
    ['an address', ['email: o.brand@school.example'], at('E-mail: o.brand@school.example', 60, 60)],
    ['a student’s label', ['name: Odile Brand'], at('Student: Odile Brand', 60, 60)],
    ['the second page alone', ['name: Odile Brand'], at('Name: ______', 60, 60), at('Class: 8b', 300, 60)],
  ])('are read in other layouts: %s', (name, expected, ...lines) => {
    const paper = name.startsWith('the second')
      ? buildPaper(lines, [at('Name: Odile Brand', 60, 60)])
      : buildPaper(lines)
    const found = hintsOf(paper)
    for (const one of expected) expect(found).toContain(one)
    expect(found.some((one) => /8b|3 May/.test(one) && one.startsWith('name'))).toBe(false)
  })
})

describe('words without a label', () => {
  it('count at the top of a page and at its foot, but not among the answers', () => {
    const paper = buildPaper([
      at('Odile Brand', 430, 40),
      at('1) because it melts', 60, 100),
      at('2) iron', 60, 130),
      at('3) zinc', 60, 160),
      at('4) Marie Curie', 60, 300),
      at('O. Brand, 8b', 60, 800),
    ])
    const found = hintsOf(paper)
    expect(found).toContain('unlabelled: Odile Brand')
    expect(found).toContain('unlabelled: O. Brand, 8b')
    expect(found.join()).not.toContain('Curie')
  })

  it('are not those of the blank', () => {
    const blank = buildPaper([at('Physics quiz 3', 60, 40), at('Ms Adler, room 12', 60, 60)])
    const paper = buildPaper([
      at('Physics quiz 3', 60, 40),
      at('Ms Adler, room 12', 60, 60),
      at('Odile Brand', 400, 60),
    ])
    expect(hintsOf(paper, blank)).toEqual(['unlabelled: Odile Brand'])
  })
})

it('takes no sentence for a name', () => {
  const blank = buildPaper([
    at('Name: ________', 60, 60),
    at('1. Name three parts of a flower that you know.', 60, 120),
  ])
  const paper = buildPaper([
    at('Name: ________', 60, 60),
    at('1. Name three parts of a flower that you know.', 60, 120),
    at('Student teachers say that the name of the class matters.', 60, 200),
  ])
  expect(nameIn(findOwnerHints(visibleLines(paper), visibleLines(blank)))).toBeNull()
})
