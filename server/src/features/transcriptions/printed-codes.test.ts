import { expect, it } from 'vitest'
import { buildPaper } from '../../grader/testing/build-paper.ts'
import { withPrintedPages } from './extract-submission-answers.ts'

it('says where a page lies over the blank that it is a copy of, only where that is known', () => {
  const blank = buildPaper(['1. Why?'], ['2. How?'])
  const place = {
    to_sheet: [1, 0, 5, 0, 1, 7, 0, 0, 1],
    format: { name: 'a4', landscape: false },
    reduction: 0,
    exact: true,
  } as const
  const codes = { printedFor: null, codes: [], sheets: [], warnings: [] }
  const printedPages = new Map([
    [1, 2],
    [2, 1],
  ])
  const { pages } = withPrintedPages(blank, { ...codes, printedPages, places: new Map([[1, place]]) }, blank)
  expect(pages).toMatchObject([{ printed_page: 2, to_blank: { exact: true } }, { printed_page: 1 }])
  const [, , x, , , y] = pages[0]?.to_blank?.transform ?? []
  expect([Math.round(x ?? 0), Math.round(y ?? 0)]).toEqual([5, 7])
  expect(pages[1]).not.toHaveProperty('to_blank')
})
