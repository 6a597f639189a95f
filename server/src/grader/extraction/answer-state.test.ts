import { expect, it } from 'vitest'
import { isUnreadable } from './answer-state.ts'
import { wordConfidences } from './extract-answers.ts'

const box = { x: 0, y: 0, width: 10, height: 10 }
const line = (words: [string, number][]) => ({
  text: words.map(([text]) => text).join(' '),
  box,
  source: 'ocr' as const,
  confidence: words.reduce((sum, [, confidence]) => sum + confidence, 0) / words.length,
  words: words.map(([text, confidence]) => ({ text, confidence, box })),
})

it('keeps how sure each of the student’s own words is, without those of the print', () => {
  const read = line([
    ['Boiling', 0.3],
    ['point:', 0.4],
    ['373', 0.91],
    ['K', 0.62],
  ])
  expect(wordConfidences([{ line: read, text: '373 K' }])).toEqual([0.91, 0.62])
  expect(wordConfidences([{ line: { ...read, source: 'text' }, text: '373 K' }])).toEqual([])
})

it('takes an answer as not read where a fifth of its words are more likely wrong than right', () => {
  const sure = { text: 'one two three four five six', reading: 0.88 }
  expect(isUnreadable({ ...sure, word_confidences: [0.96, 0.96, 0.96, 0.96, 0.45] })).toBe(true)
  expect(isUnreadable({ ...sure, word_confidences: [0.96, 0.96, 0.96, 0.96, 0.96, 0.45] })).toBe(false)
  expect(isUnreadable({ ...sure, word_confidences: [0.55, 0.96] })).toBe(false)
  // Typed, or stored before words were.
  expect(isUnreadable(sure)).toBe(false)
  expect(isUnreadable({ ...sure, reading: 0.74 })).toBe(true)
})
