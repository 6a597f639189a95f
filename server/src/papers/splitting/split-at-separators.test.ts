import { expect, it } from 'vitest'
import { splitAtSeparators } from './split-at-separators.ts'

/** `S`: a separator sheet; `2`: the blank's page 2; `?`: a page that is not recognised; `_`: an empty one. */
function split(text: string) {
  const all = text.split(' ')
  const kinds = all.map((one) => {
    const blankPage = /^\d$/.test(one) ? Number(one) : null
    return { blankPage, sure: blankPage !== null, empty: one === '_' }
  })
  const separators = new Set(all.flatMap((one, index) => (one === 'S' ? [index] : [])))
  const { papers, dropped } = splitAtSeparators(kinds, separators, 2)
  return {
    dropped,
    places: papers.map(({ pages }) => pages.map(({ index }) => index)),
    asked: papers.flatMap(({ pages }) => pages.filter(({ doubts }) => doubts.length > 0).map(({ index }) => index)),
    notes: papers.flatMap(({ notes }) => notes),
  }
}

it('begins a paper after each separator sheet, which is in none', () => {
  expect(split('S 1 2 S ? ?')).toEqual({
    dropped: [],
    places: [
      [1, 2],
      [4, 5],
    ],
    asked: [],
    notes: [],
  })
})

it('takes two separator sheets in a row, one at the end and their empty backs for no papers', () => {
  expect(split('1 2 _ S _ S _ 1 2 S')).toEqual({
    dropped: [4, 6],
    places: [
      [0, 1, 2],
      [7, 8],
    ],
    asked: [],
    notes: [],
  })
})

it('asks about each page that may be the next student’s where a sheet was forgotten', () => {
  expect(split('S 1 2 1 2 S 1 2').asked).toEqual([3, 4])
  expect(split('S ? ? ? ? S 1 2').asked).toEqual([3, 4])
  expect(split('S 1 1 2 S 1 2').asked).toEqual([2, 3])
})

it('says that pages are missing', () => {
  expect(split('S 1 S 1 2').notes).toEqual(['This paper has 1 of 2 pages.'])
})

it('asks where two incomplete papers together have no more pages than one', () => {
  expect(split('S 1 1 S 1 2').asked).toEqual([2])
})
