import type { Box, Cell, Paper, Shape } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { buildPaper, type LineSpec } from '../../testing/build-paper.ts'
import { generateRubric } from '../generate-rubric.ts'

const STEP = 16
const shape = (kind: Shape['kind'], row: number, box: Partial<Box> = {}): Shape => ({
  kind,
  box: { x: 80, y: 60 + row * STEP, width: 12, height: 12, ...box },
})
const option = (text: string, row: number, cell: Partial<Cell> = {}): LineSpec => {
  const box = { x: 100, y: 60 + row * STEP, width: text.length * 6, height: 12 }
  return { text, box, cells: [{ text, x: 100, width: box.width, ...cell }] }
}
function drawn(lines: (string | LineSpec)[], shapes: Shape[] = []): Paper {
  const paper = buildPaper(lines)
  return { pages: paper.pages.map((page) => ({ ...page, shapes })) }
}

const GASES = ['oxygen', 'carbon dioxide', 'helium']
const METALS = ['iron', 'zinc', 'gold']
const EXPLAINED = ['It is what the leaves need, as the experiment', 'with the candle under the glass has shown.']
const boxes = (...rows: number[]) => rows.map((row) => shape('frame', row))
const blank = drawn(
  [
    '1. What do plants take in from the air? [2]',
    ...GASES.map((gas, i) => option(gas, i + 1)),
    '2. What is a horseshoe made of? [2]',
    ...METALS.map((metal, i) => option(metal, i + 5)),
  ],
  boxes(1, 2, 3, 5, 6, 7),
)
/** A solution below the first question has moved the second. */
const key = (shapes: Shape[], first: Partial<Cell> = {}, second: Partial<Cell> = {}) =>
  drawn(
    [
      '1. What do plants take in from the air? [2]',
      ...GASES.map((gas, i) => option(gas, i + 1, i === 1 ? first : {})),
      ...EXPLAINED,
      '2. What is a horseshoe made of? [2]',
      ...METALS.map((metal, i) => option(metal, i + 7, i === 0 ? second : {})),
    ],
    [...boxes(1, 2, 3, 7, 8, 9), ...shapes],
  )
const read = (one: Paper, by: Paper) =>
  generateRubric(one, by).questions.map(({ kind, criteria }) => [kind, criteria[0]?.expected])
const RIGHT = [
  ['choice', 'carbon dioxide'],
  ['choice', 'iron'],
]

describe('a key that marks options without letters', () => {
  it('is read by filled, dotted and crossed boxes, and by rings, wherever solutions have moved them', () => {
    for (const own of [
      [shape('mark', 2), shape('mark', 7)],
      [
        shape('mark', 2, { x: 83, y: 95, width: 6, height: 6 }),
        shape('mark', 7, { x: 83, y: 175, width: 6, height: 6 }),
      ],
      [shape('frame', 2, { x: 82, width: 8 }), shape('frame', 7, { x: 82, width: 8 })],
      [shape('mark', 2, { x: 96, width: 92, height: 14 }), shape('mark', 7, { x: 96, width: 32, height: 14 })],
    ])
      expect(read(blank, key(own))).toEqual(RIGHT)
  })

  it('is read by bold, coloured, highlighted and underlined words', () => {
    for (const style of [
      { bold: true },
      { colour: '#cc0000' },
      { highlight: '#ffee55' },
      { underlined: true },
    ] as const)
      expect(read(blank, key([], style, style))).toEqual(RIGHT)
  })

  it('is read by a frame of four rules, though its edge lies under the option above', () => {
    const frame = (row: number, width: number) => {
      const [x, y] = [96, 58 + row * STEP]
      return [
        shape('rule', row, { x, y, width, height: 0.5 }),
        shape('rule', row, { x, y: y + 16, width, height: 0.5 }),
        shape('rule', row, { x, y, width: 0.5, height: 16.5 }),
        shape('rule', row, { x: x + width - 0.5, y, width: 0.5, height: 16.5 }),
      ]
    }
    expect(read(blank, key([...frame(2, 92), ...frame(7, 32)]))).toEqual(RIGHT)
  })

  it('says nothing where nothing is marked', () => {
    expect(read(blank, key([])).map(([, expected]) => expected)).not.toContain('carbon dioxide')
  })
})

describe('a key that marks one of several words', () => {
  const asked = [
    '1. Iron is a metal. Circle one: True / False [1]',
    '2. When ice melts, its volume (circle one) [1]',
    'rises / falls / stays',
  ]
  const ring = (x: number, row: number, width: number) => shape('mark', row, { x, width, height: 14 })
  it('is read by its rings', () => {
    const paper = drawn(asked)
    const at = (row: number, word: string) => 72 + (asked[row]?.indexOf(word) ?? 0) * 6
    const marked = drawn(asked, [ring(at(0, 'True') - 2, 0, 28), ring(at(2, 'falls') - 2, 2, 34)])
    expect(read(paper, marked)).toEqual([
      ['true_false', 'True'],
      ['choice', 'falls'],
    ])
  })
})
