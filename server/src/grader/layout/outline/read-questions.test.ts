import type { Cell } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import type { PlacedLine } from '../paper-lines.ts'
import { readQuestions } from './read-questions.ts'

type Part = string | { text: string; x: number; bold?: true }

/** A row of several parts has cells at their places. */
function linesOf(rows: (Part | Part[])[], leading = 14): PlacedLine[] {
  return rows.map((row, i): PlacedLine => {
    const parts = (Array.isArray(row) ? row : [row]).map((part) =>
      typeof part === 'string' ? { text: part, x: 60 } : part,
    )
    const cells = parts.map(({ text, x, ...style }): Cell => ({ text, x, width: text.length * 5, ...style }))
    const x = Math.min(...cells.map((cell) => cell.x))
    const right = Math.max(...cells.map((cell) => cell.x + cell.width))
    return {
      text: cells.map(({ text }) => text).join(' '),
      box: { x, y: 100 + i * leading, width: right - x, height: 11 },
      source: 'text',
      confidence: 1,
      page: 1,
      pageWidth: 595,
      pageHeight: 842,
      ...(cells.length > 1 || cells[0]?.bold ? { cells } : {}),
    }
  })
}

const read = (rows: (Part | Part[])[]) =>
  readQuestions(linesOf(rows)).questions.map(({ number, points }) => [number, points])
const at = (x: number, text: string) => ({ text, x })

describe('the questions a paper prints', () => {
  it('has parts in parts, with points in the margin', () => {
    const rows = [
      '1. Choices have costs.',
      [at(80, '(a)'), at(100, 'Define opportunity cost.'), at(550, '[2]')],
      at(100, '..............................................'),
      at(80, '(b) A frontier is bowed outwards.'),
      [at(110, 'i.'), at(125, 'What does a point inside it show?'), at(550, '[1]')],
      [at(110, 'ii.'), at(125, 'Explain why it is bowed.'), at(550, '[3]')],
      [at(60, '2.'), at(75, 'State two factors.'), at(550, '[2]')],
    ]
    expect(read(rows)).toEqual([
      ['1 a', 2],
      ['1 b i', 1],
      ['1 b ii', 3],
      ['2', 2],
    ])
  })

  it('follows the numbers of an exam board, with marks on rows of their own', () => {
    const rows = [
      [at(50, '0 1'), at(130, 'A car travels along a level road.')],
      [at(50, '0 1'), at(75, '.'), at(80, '1'), at(130, 'Which of these is a vector? Tick one box.')],
      at(480, '[1 mark]'),
      at(130, 'mass'),
      at(130, 'velocity'),
      [at(50, '0 1'), at(75, '.'), at(80, '2'), at(130, 'Calculate the acceleration.')],
      at(480, '[3 marks]'),
      [at(50, '0 2'), at(130, 'State Hooke’s law.')],
      at(480, '[2 marks]'),
    ]
    expect(read(rows)).toEqual([
      ['1.1', 1],
      ['1.2', 3],
      ['2', 2],
    ])
  })

  it('takes bare numbers at the margin for questions, and none of a passage’s line numbers', () => {
    const rows = [
      at(95, 'Nobody had told Marta that the lighthouse would hum.'),
      [at(65, '5'), at(95, 'will miss it when it stops, he said.')],
      [at(65, '10'), at(95, 'The days were long.')],
      [at(65, 'Q1'), at(105, 'What made it hum?'), at(520, '[1]')],
      [at(65, 'Q2 a'), at(105, 'Why had she come?'), at(520, '[2]')],
      [at(78, 'b'), at(105, 'How long did she stay?'), at(520, '[1]')],
    ]
    expect(read(rows)).toEqual([
      ['1', 1],
      ['2 a', 2],
      ['2 b', 1],
    ])
  })

  it('leaves options whole, however they are lettered', () => {
    const rows = [
      [at(63, '1'), at(90, 'Which is a covalent compound? Circle the letter.'), at(540, '(1)')],
      [at(90, 'a sodium chloride'), at(190, 'b carbon dioxide'), at(300, 'c magnesium')],
      [at(63, '2'), at(90, 'Which word class is it?'), at(540, '(1)')],
      at(90, 'A noun'),
      at(90, 'B verb'),
      at(90, 'C adverb'),
    ]
    expect(read(rows)).toEqual([
      ['1', 1],
      ['2', 1],
    ])
    expect(readQuestions(linesOf(rows)).questions[0]?.texts).toContain('b carbon dioxide')
  })

  it('are doubtful where little speaks for their labels', () => {
    const doubtful = (rows: string[]) => readQuestions(linesOf(rows)).doubtful
    const towns = [
      '1 Rome was built',
      '2 Athens has a hill',
      '3 Paris lies at a river',
      '4 Oslo is cold',
      '5 Bern is small',
    ]
    expect(doubtful(towns)).toBe(true)
    expect(doubtful(towns.slice(0, 4))).toBe(false)
    expect(doubtful(towns.map((town) => town.replace(' ', '. Why is it that ').concat('? (2 points)')))).toBe(false)
  })

  it('shares points that are printed once between the gaps of a text', () => {
    const rows = [
      { text: '1 Fill in the gaps. (2 marks)', x: 60, bold: true as const },
      '(a) Cells take in ____________ through the membrane.',
      '(b) Energy is released in the ____________.',
    ]
    expect(readQuestions(linesOf(rows)).sharedPoints).toEqual([{ number: '1', points: 2, ids: ['q1a', 'q1b'] }])
  })

  it('numbers questions without numbers by their points', () => {
    const paragraph = [
      { text: 'Who proposed the model? (2 points)', x: 77, bold: true as const },
      'He wrote it in 1968.',
      { text: 'Which memory stores how to ride a bike? (3 points)', x: 77, bold: true as const },
    ]
    expect(read(paragraph)).toEqual([
      ['1', 2],
      ['2', 3],
    ])
  })
})
