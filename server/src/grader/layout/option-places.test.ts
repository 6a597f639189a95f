import { describe, expect, it } from 'vitest'
import { buildPaper } from '../testing/build-paper.ts'
import { optionRegions } from './option-regions.ts'
import { readQuestions } from './outline/read-questions.ts'
import { visibleLines } from './paper-lines.ts'

/** Letters are 6 points wide. */
function placesOf(lines: Parameters<typeof buildPaper>[0], expected: string) {
  const blank = buildPaper(lines)
  const [question] = readQuestions(visibleLines(blank)).questions
  if (!question) throw new Error('a question')
  return optionRegions(question, 'choice', expected, blank).map(({ value, box }) => [value, Math.round(box.x)])
}

const ASKED = '1. Which planet is the largest? Circle one.'

describe('options on one line', () => {
  it('are told by their letters, with a space between them or in columns', () => {
    expect(placesOf([ASKED, 'A. Mars B. Jupiter C. Venus'], 'B')).toEqual([
      ['A', 72],
      ['B', 72 + 8 * 6],
      ['C', 72 + 19 * 6],
    ])
    const cells = [
      { text: 'A) Mars', x: 72, width: 42 },
      { text: 'B) Jupiter C) Venus', x: 150, width: 114 },
    ]
    expect(placesOf([ASKED, { text: 'A) Mars B) Jupiter C) Venus', cells }], 'B')).toEqual([
      ['A', 72],
      ['B', 150],
      ['C', 150 + 11 * 6],
    ])
  })

  it('are told by their words, of which the right one is one', () => {
    const words = (...all: [string, number][]) => all.map(([word, letters]) => [word, 72 + letters * 6])
    expect(placesOf([ASKED, 'Mars Jupiter Venus'], 'Jupiter')).toEqual(
      words(['Mars', 0], ['Jupiter', 5], ['Venus', 13]),
    )
    expect(placesOf([ASKED, 'goes up / goes down'], 'goes down')).toEqual(words(['goes up', 0], ['goes down', 10]))
    expect(placesOf([ASKED, 'It is (lighter/heavier) than ice.'], 'lighter')).toEqual(
      words(['lighter', 7], ['heavier', 15]),
    )
    const boxes = '☐ 0.38 ☐ 0.375 ☐ 3.8'
    const row = { text: `${boxes} [1]`, box: { x: 72, y: 76, width: 400, height: 12 } }
    const cells = [
      { text: boxes, x: 72, width: boxes.length * 6 },
      { text: '[1]', x: 454, width: 18 },
    ]
    expect(placesOf([ASKED, { ...row, cells }], '0.375')).toEqual(words(['0.38', 0], ['0.375', 7], ['3.8', 15]))
    expect(placesOf([ASKED, 'Mars Jupiter Venus'], 'Saturn')).toEqual([])
    expect(placesOf([ASKED, 'Think of Jupiter, of course.'], 'Jupiter')).toEqual([])
  })
})
