import type { Box, InkMark, Page } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { printedLinesOf } from '../../layout/match-printed-lines.ts'
import { buildPaper } from '../../testing/build-paper.ts'
import type { RegisteredPage } from '../pages/registered-pages.ts'
import { inkedAmong } from './inked-options.ts'
import { optionsOnBlank } from './marked-options.ts'

const LINES = ['1. Which of these is a vector? Tick one box.', 'A. distance', 'B. mass', 'C. speed', 'D. velocity']
const criteria = [{ id: 'q1', text: '', points: 1, expected: 'D. velocity', alternatives: [] }]
const rubric: Rubric = {
  problems: [],
  questions: [{ id: 'q1', number: '1', prompt: LINES.join('\n'), kind: 'choice', criteria, regions: [] }],
}

const printedBox = (option: number): Box => ({ x: 200, y: 60 + option * 16, width: 12, height: 12 })
const [page] = buildPaper(LINES).pages as [Page]
const blank = {
  pages: [{ ...page, shapes: [1, 2, 3, 4].map((one) => ({ kind: 'frame' as const, box: printedBox(one) })) }],
}

const registered: RegisteredPage = {
  page: 1,
  blankPage: 1,
  registration: { toBlank: (x, y) => [x, y], toScan: (x, y) => [x, y], error: 0 },
  writings: [],
  questions: new Set(['q1']),
  byPlace: true,
  questionAt: () => 'q1',
}

/** As OCR leaves it: edges dark, and as much of what is between them as `rows` say, from the top. */
const box = (option: number, rows: number[] = [], above = 0): InkMark => {
  const place = printedBox(option)
  const inside = Array.from({ length: 10 + above }, (_, i) => rows[i] ?? 0.06)
  return { box: { ...place, y: place.y - above, height: place.height + above }, rows: [0.5, ...inside, 0.5] }
}
const TICK = [0.13, 0.13, 0.5, 0.5, 0.3, 0.3, 0.3, 0.2]
const HIGH_TICK = [0.13, 0.13, 0.5, 0.5, 0.3, 0.1]

const chosen = (...ink: InkMark[]) => {
  const options = optionsOnBlank(rubric, blank, printedLinesOf(rubric, blank).printed)
  const found = inkedAmong(options, blank, { pages: [{ ...page, ink }] }, [registered]).get('q1')
  return found === undefined || found === 'unclear' ? found : found.values
}

describe('boxes to tick on a scan', () => {
  it('are ticked where the tick is, also if all of it is high in its box and above', () => {
    expect(chosen(box(1), box(2), box(3), box(4, TICK))).toEqual(['D'])
    expect(chosen(box(1), box(2), box(3), box(4, HIGH_TICK, 4))).toEqual(['D'])
  })

  it('are none where all are empty, two of them run into one, or one has a speck on its edge', () => {
    expect(chosen(box(1), box(2), box(3), box(4))).toBeUndefined()
    const both = { ...box(2), box: { ...printedBox(2), height: 28 }, rows: Array<number>(28).fill(0.06) }
    expect(chosen(box(1), both, box(4))).toBeUndefined()
    expect(chosen(box(1), box(2), box(3), box(4, [], 1))).toBeUndefined()
  })

  it('are for a person where one is darker than another, but not plainly scribbled over', () => {
    const ticked = box(4, Array(10).fill(0.2))
    expect(chosen(box(1), box(2), box(3, Array(10).fill(0.2)), ticked)).toEqual(['C', 'D'])
    expect(chosen(box(1), box(2), box(3, Array(10).fill(0.28)), ticked)).toBe('unclear')
    expect(chosen(box(1), box(2), box(3, Array(10).fill(0.5)), ticked)).toEqual(['D'])
  })
})
