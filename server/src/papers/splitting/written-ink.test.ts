import { expect, it } from 'vitest'
import { seededRandom } from '../../lib/seeded-random.ts'
import { codeBox, markCentres, sheetSize, textBoxes } from '../codes/sheet-layout.ts'
import type { PagePrint } from './page-print.ts'
import { isSameSheet, toComparable, writtenInk } from './written-ink.ts'

const [WIDTH, HEIGHT] = [400, 560]
const unmoved = { a: 1, b: 0, c: 0, d: 0 }

const page = (draw: (darken: (x: number, y: number) => void) => void): PagePrint => {
  const ink = new Uint8Array(WIDTH * HEIGHT)
  draw((x, y) => {
    ink[y * WIDTH + x] = 255
  })
  return { width: WIDTH, height: HEIGHT, ink, coarse: { re: new Float32Array(0), im: new Float32Array(0) }, norm: 1 }
}

function writeLine(darken: (x: number, y: number) => void, seed: number) {
  const random = seededRandom(seed)
  for (let x = 40; x < 360; x += 3 + Math.floor(random() * 9)) {
    const [top, height] = [200 + Math.floor(random() * 8), 4 + Math.floor(random() * 12)]
    for (let y = top; y < top + height; y += 1) for (const beside of [0, 1]) darken(x + beside, y)
  }
}

function stain(darken: (x: number, y: number) => void, radius: number) {
  for (let y = -radius; y <= radius; y += 1)
    for (let x = -radius; x <= radius; x += 1) if (x * x + y * y <= radius * radius) darken(300 + x, 400 + y)
}

const seen = (of: PagePrint) => {
  const written = writtenInk(
    of,
    unmoved,
    page(() => {}),
  )
  if (!written) throw new Error('too little is written on it')
  return toComparable(written)
}

it('tells two scans of a sheet from two sheets, whatever was spilt on one of them', () => {
  const clean = seen(page((darken) => writeLine(darken, 1)))
  const stained = seen(
    page((darken) => {
      writeLine(darken, 1)
      stain(darken, 38)
    }),
  )
  expect(isSameSheet(clean, stained)).toBe(true)
  expect(isSameSheet(clean, seen(page((darken) => writeLine(darken, 2))))).toBe(false)
})

it('compares no page on which there is a stain alone', () => {
  expect(
    writtenInk(
      page((darken) => stain(darken, 38)),
      unmoved,
      page(() => {}),
    ),
  ).toBeNull()
})

it('compares no page that has the codes, marks and texts of a printed copy alone', () => {
  const sheet = sheetSize({ name: 'a4', landscape: false })
  const scale = HEIGHT / sheet.height
  const { name, page: number } = textBoxes(sheet, 2)
  const marks = markCentres(sheet, 2).map(([x, y]) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }))
  const boxes = [codeBox('top', sheet, 2), codeBox('bottom', sheet, 2), name, number, ...marks]
  const copy = page((darken) => {
    for (const { x, y, width, height } of boxes)
      for (let down = y * scale; down < (y + height) * scale; down += 2)
        for (let right = x * scale; right < (x + width) * scale; right += 1) darken(Math.round(right), Math.round(down))
  })
  expect(
    writtenInk(
      copy,
      unmoved,
      page(() => {}),
    ),
  ).toBeNull()
})
