import type { Box } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { buildPaper } from '../../testing/build-paper.ts'
import { answerInBox } from './answer-in-box.ts'

const questions = [
  '1. Why does ice float on water? (5 points)',
  '',
  '2. The gas that plants take in is ________ and they give off oxygen.',
  '3. Which planet is largest?',
  'A. Mars   B. Jupiter   C. Venus',
]
const blank = buildPaper(questions)
const whole: Box = { x: 0, y: 0, width: 600, height: 800 }

const pick = (lines: Parameters<typeof buildPaper>[0], box: Box = whole) =>
  answerInBox(blank, buildPaper(lines), 1, box)

describe('what is framed of a key', () => {
  it('is what it adds to the print of the blank', () => {
    const key = questions.with(1, 'Answer: It is less dense.')
    expect(pick(key)).toBe('It is less dense.')
    expect(pick(questions.with(2, '2. The gas that plants take in is carbon dioxide and they give off oxygen.'))).toBe(
      'carbon dioxide',
    )
    expect(pick(questions.with(0, '1. Why does ice float on water? (5 points) ice floats on denser water'))).toBe(
      'ice floats on denser water',
    )
  })

  it('is what it prints where it adds nothing, of options only the coloured one', () => {
    const option = (text: string, x: number, colour?: string) => ({ text, x, width: 60, ...(colour ? { colour } : {}) })
    const box = { x: 72, y: 124, width: 300, height: 12 }
    const row = (colour?: string) => ({
      text: questions[4] ?? '',
      box,
      cells: [option('A. Mars', 72), option('B. Jupiter', 142, colour), option('C. Venus', 212)],
    })
    const head = { text: 'Key', box: { ...box, y: 20 }, cells: [option('Key', 72, 'c00000')] }
    const lines = questions.slice(0, 4)
    const at = { ...box, x: 60, y: 118, height: 24 }
    expect(pick([...lines, row('c00000'), head], at)).toBe('B. Jupiter')
    expect(pick([...lines, row(), head], { ...at, x: 135, width: 70 })).toBe('B. Jupiter')
  })

  it('is nothing where nothing is', () => {
    expect(pick(questions, { x: 0, y: 700, width: 600, height: 40 })).toBe('')
  })
})
