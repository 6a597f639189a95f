import { expect, it } from 'vitest'
import type { PlacedLine } from '../../layout/paper-lines.ts'
import { withoutRepeatedPages } from '../extract-answers.ts'
import type { RegisteredPage } from './registered-pages.ts'

const box = { x: 0, y: 0, width: 10, height: 10 }

function pageSaying(page: number, text: string): RegisteredPage {
  const line: Partial<PlacedLine> = { page, text, box }
  return {
    page,
    blankPage: 1,
    registration: { shift: { x: 0, y: 0 } } as unknown as RegisteredPage['registration'],
    writings: [{ question: 'q1', line: line as PlacedLine, onBlank: box }],
    questions: new Set(['q1']),
    byPlace: true,
    questionAt: () => 'q1',
  }
}

it('names a page that comes twice with other words by its number in the file', () => {
  const pages = [pageSaying(1, 'ice is less dense than water'), pageSaying(2, 'ships float because of the wind')]
  const message = (page: number, graded: number) =>
    `Page ${page} answers the questions of page ${graded} again: there may be two papers in this file. Only page ${graded} was graded.`
  expect(withoutRepeatedPages(pages).warnings.map((one) => one.message)).toEqual([message(2, 1)])
  // Sorted, the first of them is the file's second page and the other one its third.
  expect(withoutRepeatedPages(pages, [2, 3, 1]).warnings.map((one) => one.message)).toEqual([message(3, 2)])
})

it('says nothing of a page that was scanned twice', () => {
  const pages = [pageSaying(1, 'ice is less dense than water'), pageSaying(2, 'ice is less dense than water')]
  expect(withoutRepeatedPages(pages)).toMatchObject({ kept: [{ page: 1 }], warnings: [] })
})
