import type { Box, Page, Paper, Shape } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { describe, expect, it } from 'vitest'
import { printedLinesOf } from '../../layout/match-printed-lines.ts'
import { buildPaper } from '../../testing/build-paper.ts'
import { markedAmong, optionsOnBlank } from './marked-options.ts'

const LINES = [
  '1. Which layer of the Earth is liquid? Circle one.',
  'A. crust',
  'B. mantle',
  'C. outer core',
  'D. inner core',
]
const rubric: Rubric = {
  problems: [],
  questions: [
    {
      id: 'q1',
      number: '1',
      prompt: LINES.join('\n'),
      kind: 'choice',
      criteria: [{ id: 'q1', text: '', points: 1, expected: 'C. outer core', alternatives: [] }],
      regions: [],
    },
  ],
}

const ring = (option: number): Box => ({ x: 68, y: 58 + option * 16, width: 16, height: 16 })
const line = (option: number): Box => ({ x: 66, y: 66 + option * 16, width: 60, height: 0.8 })
const tickBox = (option: number): Box => ({ x: 200, y: 60 + option * 16, width: 12, height: 12 })
const ALL = [1, 2, 3, 4]

/** All of it moved down by `shift` points. */
function drawn(boxes: Box[], shift = 0): Paper {
  const down = (box: Box) => ({ ...box, y: box.y + shift })
  const [page] = buildPaper(LINES).pages as [Page]
  return {
    pages: [
      {
        ...page,
        lines: page.lines.map((one) => ({ ...one, box: down(one.box) })),
        shapes: boxes.map((box) => ({ kind: 'frame', box: down(box) })),
      },
    ],
  }
}
const optionsOf = (of: typeof rubric, blank: Paper) => optionsOnBlank(of, blank, printedLinesOf(of, blank).printed)
const chosen = (paper: Paper, blank = drawn([])) =>
  markedAmong(optionsOf(rubric, blank), blank, paper).get('q1')?.values

describe('the options a student marked', () => {
  it('are those with a ring, a cross in their box or an X before them', () => {
    expect(chosen(drawn([ring(3)]))).toEqual(['C'])
    expect(
      chosen(drawn([...ALL.map(tickBox), { ...tickBox(2), x: 202, width: 8, height: 8 }]), drawn(ALL.map(tickBox))),
    ).toEqual(['B'])
    const typed = buildPaper(LINES)
    typed.pages[0]?.lines.push({
      text: 'X',
      box: { x: 60, y: 60 + 4 * 16, width: 8, height: 12 },
      source: 'text',
      confidence: 1,
    })
    expect(chosen(typed)).toEqual(['D'])
  })

  it('are named by the words behind a box or a bubble without a letter, filled, dotted or crossed', () => {
    const words = ['1. Which layer of the Earth is liquid?', 'crust', 'mantle', 'outer core', 'inner core']
    const unlettered: Rubric = {
      ...rubric,
      questions: rubric.questions.map((question) => ({
        ...question,
        prompt: words.map((text, i) => (i === 0 ? text : `○ ${text}`)).join('\n'),
        criteria: question.criteria.map((criterion) => ({ ...criterion, expected: 'outer core' })),
      })),
    }
    const bubble = (option: number, inset = 0): Box => ({
      x: 50 + inset,
      y: 60 + option * 16 + inset,
      width: 12 - 2 * inset,
      height: 12 - 2 * inset,
    })
    const printed = (...added: Shape[]): Paper => ({
      pages: buildPaper(words).pages.map((page) => ({
        ...page,
        shapes: [...ALL.map((one): Shape => ({ kind: 'frame', box: bubble(one) })), ...added],
      })),
    })
    const options = optionsOf(unlettered, printed())
    const values = (...added: Shape[]) => markedAmong(options, printed(), printed(...added)).get('q1')?.values
    expect(values({ kind: 'mark', box: bubble(3) })).toEqual(['outer core'])
    expect(values({ kind: 'mark', box: bubble(2, 3) })).toEqual(['mantle'])
    expect(values({ kind: 'frame', box: bubble(4, 1) }, { kind: 'frame', box: bubble(4, 1) })).toEqual(['inner core'])
    expect(values()).toBeUndefined()
  })

  it('are not those struck out, where another is marked', () => {
    expect(chosen(drawn([ring(1), line(1), ring(3)]))).toEqual(['C'])
    expect(chosen(drawn([line(2)]))).toEqual(['B'])
  })

  it('are none where only the print is there, however it is shifted', () => {
    for (const shift of [0, 18]) expect(chosen(drawn(ALL.map(tickBox), shift), drawn(ALL.map(tickBox)))).toBeUndefined()
  })

  it('are several where several are marked, for a person to see', () => {
    expect(chosen(drawn([ring(1), ring(3)]))).toEqual(['A', 'C'])
  })
})
