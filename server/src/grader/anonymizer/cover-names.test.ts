import type { Box, Line, Page, Paper } from '@assay/shared/papers.ts'
import { expect, it } from 'vitest'
import { possibleCodeBoxes } from '../../papers/codes/sheet-layout.ts'
import { findNameRegions } from './cover-names.ts'
import { createMask } from './mask.ts'

const line = (y: number, text: string, part: Partial<Line> = {}): Line => ({
  text,
  box: { x: 70, y, width: 300, height: 12 },
  source: 'ocr',
  confidence: 0.8,
  ...part,
})
const page = (...lines: Line[]): Page => ({ number: 1, width: 600, height: 800, lines })
const paperOf = (...pages: Page[]): Paper => ({ pages: pages.map((one, i) => ({ ...one, number: i + 1 })) })
const tellsOf = (...private_words: string[]) =>
  createMask({ private_words, name_on_paper: null, publicText: '', ocr: true }).identifyingLines
const rows = (boxes: Box[] | undefined) => boxes?.map(({ y, height }) => [y, height])

const MARGIN = [0, 48]
const HEAD = [0, 80]
const FIRST = '1. Why does ice float on water? Explain.'
const SECOND = '2. Which of these metals conducts heat best?'
const blank = paperOf(page(line(130, 'Name: ______ Date: ____'), line(200, FIRST)), page(line(100, SECOND)))
const NAME = [114, 44]

it('covers rows of names as read and as printed, and lines with the student’s own, also misread', () => {
  const paper = paperOf(
    page(line(134, 'Nane Ado'), line(200, FIRST), line(400, 'Ada Lovelaoe wrote this')),
    page(line(30, 'Student no.: 123'), line(100, SECOND)),
  )
  const places = findNameRegions(paper, blank, tellsOf('Ada Lovelace'))
  expect(rows(places.get(1))).toEqual([[390, 32], NAME, MARGIN])
  expect(rows(places.get(2))).toEqual([[20, 32], MARGIN])
  expect(places.get(1)?.every(({ x, width }) => x === 0 && width === 600)).toBe(true)
})

it('covers both codes of printed copies, at every edge of a page that may lie on its side', () => {
  const paper = paperOf(page(line(200, FIRST)), {
    ...page(line(300, '~~', { confidence: 0.3 })),
    width: 800,
    height: 600,
  })
  const covers = (boxes: Box[] | undefined, x: number, y: number) =>
    boxes?.some((box) => box.x < x - 22 && x + 22 < box.x + box.width && box.y < y - 22 && y + 22 < box.y + box.height)
  const places = findNameRegions(paper, blank, tellsOf(), possibleCodeBoxes)
  for (const [at, x, y] of [
    [1, 300, 42],
    [1, 300, 758],
    [1, 388, 63],
    [1, 388, 737],
    [2, 400, 42],
    [2, 400, 558],
    [2, 42, 300],
    [2, 758, 300],
  ] as const)
    expect(covers(places.get(at), x, y), `${at} ${x} ${y}`).toBe(true)
  expect(covers(findNameRegions(paper, blank, tellsOf()).get(1), 300, 758)).toBe(false)
})

it('covers a page scanned at another’s place as what it is', () => {
  const swapped = paperOf(page(line(100, SECOND)), page(line(200, FIRST)))
  const places = findNameRegions(swapped, blank, tellsOf())
  expect(rows(places.get(1))).toEqual([MARGIN])
  expect(rows(places.get(2))).toEqual([NAME, MARGIN])
})

it('covers a page it cannot place as if it were each page of the blank', () => {
  const title = 'Water and heat, a quiz for class 8b'
  const titled = paperOf(...blank.pages.map((one) => ({ ...one, lines: [line(60, title), ...one.lines] })))
  const other = page(line(60, title), line(300, 'hand'))
  const paper = paperOf(page(line(60, title), line(100, SECOND)), other)
  expect(rows(findNameRegions(paper, titled, tellsOf()).get(2))).toEqual([NAME, HEAD])
  // The page is not the blank's but a sheet of the student's own.
  const added = paperOf(page(line(200, FIRST)), page(line(100, SECOND)), other)
  expect(rows(findNameRegions(added, titled, tellsOf()).get(3))).toEqual([HEAD])
})

it('covers the row on each copy of a page that was scanned twice', () => {
  const twice = findNameRegions(paperOf(page(line(200, FIRST)), page(line(200, FIRST))), blank, tellsOf())
  expect([...twice.values()].map(rows)).toEqual([
    [NAME, MARGIN],
    [NAME, MARGIN],
  ])
})

it('covers every side of a page that may be turned, where OCR made nothing of it', () => {
  const [scribble] = findNameRegions(paperOf(page(line(300, '~~', { confidence: 0.3 }))), blank, tellsOf()).values()
  expect(scribble).toHaveLength(8)
  const on = (x: number, y: number) =>
    scribble?.some((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
  for (const [x, y] of [
    [300, 136],
    [300, 664],
    [136, 400],
    [464, 400],
  ] as const)
    expect(on(x, y)).toBe(true)
  expect(on(300, 400)).toBe(false)
})

it('finds the printed row where the scan has it, larger and shifted', () => {
  const scale = 2
  const at = (y: number, text: string) => ({
    ...line(y * scale + 60, text),
    box: { x: 140, y: y * scale + 60, width: 600, height: 24 },
  })
  const scan: Paper = {
    pages: [
      {
        number: 1,
        width: 1200,
        height: 1600,
        lines: [at(200, FIRST), at(230, 'Draw the water as well, with arrows.')],
      },
    ],
  }
  const drawn = paperOf(
    page(line(130, 'Name: ______'), line(200, FIRST), line(230, 'Draw the water as well, with arrows.')),
  )
  expect(rows(findNameRegions(scan, drawn, tellsOf()).get(1))).toEqual([
    [2 * 130 + 60 - 32, 2 * 44],
    [0, 96],
  ])
})

it('covers the head of a first page without a row for the name', () => {
  const plain = paperOf(page(line(200, FIRST)), page(line(100, SECOND)))
  const dated = paperOf(page(line(90, 'Date: 3 May'), line(200, FIRST), line(500, 'Ada Byron')))
  expect(rows(findNameRegions(dated, plain, tellsOf('Ada Byron')).get(1))).toContainEqual(HEAD)
  expect(rows(findNameRegions(paperOf(page(line(200, 'x'))), paperOf(), tellsOf()).get(1))).toEqual([HEAD])
})

it('knows a row for the name behind other words, near the top alone', () => {
  const within = paperOf(page(line(90, 'Physics 8b   Name: Zoe'), line(200, FIRST), line(500, 'The common name: oak')))
  const bare = paperOf(page(line(200, FIRST)))
  expect(rows(findNameRegions(within, bare, tellsOf()).get(1))).toEqual([[80, 32], MARGIN])
})
