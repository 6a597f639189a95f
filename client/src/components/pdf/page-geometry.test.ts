import { expect, it } from 'vitest'
import { mergeBoxes } from './merge-boxes.ts'
import {
  currentPage,
  layOutPages,
  nextZoom,
  pagesInRange,
  rotateBox,
  scrollTopToShow,
  unrotateBox,
  uprightSizes,
} from './page-geometry.ts'

const page = { width: 600, height: 800, rotate: 0 }
const box = { x: 60, y: 100, width: 200, height: 10 }

it('a turned page takes its boxes along: a quarter turn four times over is none', () => {
  const once = rotateBox(box, page, 90)
  expect(once).toEqual({ x: 690, y: 60, width: 10, height: 200 })
  const turned = { width: 800, height: 600, rotate: 0 }
  const twice = rotateBox(once, turned, 90)
  expect(twice).toEqual(rotateBox(box, page, 180))
  expect(rotateBox(twice, page, 90)).toEqual(rotateBox(box, page, 270))
  expect(rotateBox(rotateBox(box, page, 270), turned, 90)).toEqual(box)
})

it('a turned page gives a box drawn on it back in the page’s own points', () => {
  for (const turn of [0, 90, 180, 270] as const)
    expect(unrotateBox(rotateBox(box, page, turn), page, turn)).toEqual(box)
})

const places = layOutPages([page, page, page], 1, 0)

it('pages under each other know which of them a window touches', () => {
  expect(places.map((place) => place.top)).toEqual([20, 840, 1660])
  expect(pagesInRange(places, 0, 700)).toEqual([0, 0])
  expect(pagesInRange(places, 700, 1000)).toEqual([0, 1])
  expect(pagesInRange(places, 9000, 9900)).toEqual([2, 2])
  expect(currentPage(places, 700, 600)).toBe(1)
})

it('pages under each other scroll only to what is not in view', () => {
  expect(scrollTopToShow(100, 20, 0, 600)).toBeNull()
  expect(scrollTopToShow(900, 20, 0, 600)).toBe(750)
  expect(scrollTopToShow(10, 20, 500, 600)).toBe(0)
})

it('zoom goes by steps from wherever it is, and ends somewhere', () => {
  expect(nextZoom(0.88, 1)).toBe(0.9)
  expect(nextZoom(0.88, -1)).toBe(0.8)
  expect(nextZoom(4, 1)).toBe(4)
  expect(nextZoom(0.33, -1)).toBe(0.33)
})

it('lines of an answer become one box; an answer further down stays another', () => {
  const lines = [
    { x: 60, y: 120, width: 100, height: 11 },
    { x: 60, y: 100, width: 300, height: 11 },
    { x: 60, y: 400, width: 50, height: 11 },
  ]
  expect(mergeBoxes(lines)).toEqual([
    { x: 60, y: 100, width: 300, height: 31 },
    { x: 60, y: 400, width: 50, height: 11 },
  ])
})

it('lines of an answer side by side are not one', () => {
  const words = [
    { x: 60, y: 100, width: 50, height: 11 },
    { x: 400, y: 102, width: 50, height: 11 },
  ]
  expect(mergeBoxes(words)).toHaveLength(2)
})

it('turns pages that were scanned on their side as if the file had them upright', () => {
  const sizes = [
    { width: 600, height: 800, rotate: 0 },
    { width: 800, height: 600, rotate: 270 },
  ]
  expect(uprightSizes(sizes, [{ page: 2, turned: 90 }])).toEqual([
    { width: 600, height: 800, rotate: 0 },
    { width: 600, height: 800, rotate: 0 },
  ])
  expect(uprightSizes(sizes, [])).toBe(sizes)
})
