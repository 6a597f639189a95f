import { expect, it } from 'vitest'
import { type CodedPage, splitByCodes } from './split-by-codes.ts'

/** `a2`: page 2 of copy a by its code; `2`, `?`, `_`: by print alone. Copy x is of another assignment. */
const stack = (text: string): CodedPage[] =>
  text.split(' ').map((one) => {
    const [, copyId, page] = /^([a-z])(\d)$/.exec(one) ?? []
    const printed = /^\d$/.test(one) ? Number(one) : null
    const code = copyId ? { copyId, page: Number(page) } : null
    return { code, blankPage: printed, sure: printed !== null, empty: one === '_' }
  })

function split(text: string, pages = 2) {
  const of = (student_id: number | null, sheet = false) => ({ pages: sheet ? 2 : pages, student_id, sheet })
  const copies = { a: of(1), b: of(2), x: null, s: of(1, true), t: of(2, true), u: of(null, true), v: of(2, true) }
  const { papers, apart } = splitByCodes(stack(text), new Map(Object.entries(copies)), pages)
  const asked = papers.flatMap((paper) =>
    paper.pages.filter(({ doubts }) => doubts.length > 0).map(({ index }) => index),
  )
  return { papers, apart, asked, places: papers.map((paper) => paper.pages.map(({ index }) => index)) }
}

it('gives each page to its copy, in order, wherever it lies in the stack', () => {
  const { papers, places, asked, apart } = split('b2 a1 b1 a2')
  expect(papers.map(({ copyId }) => copyId)).toEqual(['b', 'a'])
  expect(places).toEqual([
    [2, 0],
    [1, 3],
  ])
  expect([asked, apart, papers.flatMap(({ notes }) => notes)]).toEqual([[], [], []])
})

it('says which pages of a copy are missing', () => {
  const { papers } = split('a1 b3 b1', 3)
  expect(papers.map(({ notes }) => notes)).toEqual([['Pages 2 and 3 are missing.'], ['Page 2 is missing.']])
})

it('asks about both pages of a copy that were scanned twice', () => {
  const { places, asked } = split('a1 a2 b1 a2 b2')
  expect(places).toEqual([
    [0, 1, 3],
    [2, 4],
  ])
  expect(asked).toEqual([1, 3])
})

it('sets pages of other assignments and of copies nobody knows apart', () => {
  const { places, apart } = split('a1 x1 a2 z1')
  expect(places).toEqual([[0, 2]])
  expect(apart.map(({ index, doubts }) => [index, doubts[0]])).toEqual([
    [1, expect.stringContaining('another assignment')],
    [3, expect.stringContaining('no copy')],
  ])
})

it('splits pages without a code by their print, and asks about each', () => {
  const { papers, places, asked } = split('a1 1 a2 2 b2 1 b1')
  expect(places).toEqual([[0, 2], [1, 3], [6, 4], [5]])
  expect(papers.map(({ copyId }) => copyId)).toEqual(['a', null, 'b', null])
  expect(asked).toEqual([1, 3, 5])
  expect(papers[3]?.notes).toEqual(['Page 2 is missing.'])
})

it('offers a page without a code to the copies that lack it, first to that of the sheets beside it', () => {
  const { papers } = split('a1 b1 2 1 x1')
  const offers = papers.filter(({ copyId }) => copyId === null).flatMap((paper) => paper.pages)
  expect(offers.map(({ index, copies }) => [index, copies])).toEqual([
    [3, []],
    [2, ['b', 'a']],
  ])
})

it('keeps the empty back of a sheet behind its front', () => {
  expect(split('a2 _ a1 _ x1 _ _')).toMatchObject({ places: [[2, 3, 0, 1]], asked: [] })
  expect(split('a2 _ x1 _').apart.map(({ index }) => index)).toEqual([2, 3])
  expect(split('_ a1 a2').places).toEqual([[0], [1, 2]])
})

it('is the way without codes where none were read', () => {
  expect(split('1 2 1 2')).toMatchObject({
    places: [
      [0, 1],
      [2, 3],
    ],
    asked: [],
  })
})

it('puts a student’s answer sheet behind their copy, and asks a person where there are two', () => {
  const { papers, places } = split('s1 b1 t1 a1 s2 b2 a2 u1')
  expect(places).toEqual([[3, 6, 0, 4], [1, 5, 2], [7]])
  expect(papers.map(({ notes }) => notes)).toEqual([
    [],
    ['Page 2 of the answer sheet is missing.'],
    ['Page 2 of the answer sheet is missing.'],
  ])
  expect(split('b1 b2 t1 t2 v1 v2').places).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ])
})

it('offers a page without a code to no answer sheet', () => {
  const { papers } = split('s1 1')
  expect(papers.flatMap(({ pages }) => pages.flatMap(({ copies = [] }) => copies))).toEqual([])
})
