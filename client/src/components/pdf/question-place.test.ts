import { expect, it } from 'vitest'
import { questionPlace, type TextRow } from './question-place.ts'

const row = (page: number, y: number, text: string): TextRow => ({
  page,
  text,
  box: { x: 60, y, width: 200, height: 11 },
})
const region = (page: number, y: number) => ({ page, box: { x: 60, y, width: 400, height: 90 } })
const placeOf = (number: string, rows: TextRow[], regions: ReturnType<typeof region>[] = [], pages = 2) => {
  const place = questionPlace({ number, regions }, rows, pages)
  return place && [place.page, place.box.y]
}

it('is where the key’s text has the number, however it is written', () => {
  const rows = [
    row(1, 50, '20 points in all'),
    row(1, 80, '1. Chlorophyll'),
    row(1, 100, '2.5 g'),
    row(2, 40, 'Q2) Ice'),
  ]
  expect(placeOf('2', rows)).toEqual([2, 40])
  expect(placeOf('1', rows)).toEqual([1, 80])
  expect(placeOf('2', [row(1, 10, 'Question 2')])).toEqual([1, 10])
})

it('of a part is its letter below the question’s number, or both in one', () => {
  const rows = [row(1, 10, '1'), row(1, 20, '(a) one'), row(1, 30, '(b) two'), row(1, 40, '2'), row(1, 50, 'b) four')]
  expect(placeOf('2 b', rows)).toEqual([1, 50])
  expect(placeOf('1 b', rows)).toEqual([1, 30])
  expect(placeOf('3 b', [row(1, 10, '3'), row(1, 40, '3(b) six')])).toEqual([1, 40])
})

it('on the blank’s pages is by the answer area, not where another number is the same', () => {
  const rows = [row(1, 300, '2 moles of it'), row(2, 400, '2. Why does ice float?')]
  expect(placeOf('2', rows, [region(2, 430)])).toEqual([2, 400])
})

it('is the answer area’s where the key is a scan without text, and nowhere on a page that it does not have', () => {
  expect(placeOf('2', [], [region(2, 430)])).toEqual([2, 430])
  expect(placeOf('2', [], [region(3, 430)])).toBeNull()
  expect(placeOf('4', [row(1, 10, '1. One')])).toBeNull()
})
