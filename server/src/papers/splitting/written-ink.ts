import { possiblePrintedBoxes } from '../codes/sheet-layout.ts'
import { cellsAround } from '../geometry/grid.ts'
import type { Similarity } from './match-page.ts'
import type { PagePrint } from './page-print.ts'

/** In the blank's coordinates: one bit per square of CELL points. */
export interface WrittenInk {
  width: number
  height: number
  bits: Buffer
}

/** In larger squares small print or writing runs together, and any two lines would be alike. */
const CELL = 2
/** With fewer squares, two empty pages would count as the same. */
const LEAST_CELLS = 200
const LEAST_INK = 75
/** In squares: print a little off its place is no writing. */
const OFF_PLACE = 2

/** Ink beyond the blank's and a copy's codes, marks and texts; null where too little to compare. */
export function writtenInk(page: PagePrint, placed: Similarity, blank: PagePrint): WrittenInk | null {
  const [width, height] = [Math.floor(blank.width / CELL), Math.floor(blank.height / CELL)]
  const bits = Buffer.alloc(Math.ceil((width * height) / 8))
  const printed = new Uint8Array(width * height)
  for (let y = 0; y < height * CELL; y += 1)
    for (let x = 0; x < width * CELL; x += 1)
      if ((blank.ink[y * blank.width + x] ?? 0) > 0) printed[Math.floor(y / CELL) * width + Math.floor(x / CELL)] = 1
  const dark = new Uint8Array(width * height)
  const nearPrint = grownBy(printed, width, height, OFF_PLACE)
  const { a, b, c, d } = placed
  const boxes = possiblePrintedBoxes(page)
  const isOfCopy = (x: number, y: number) =>
    boxes.some((box) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      if (nearPrint[row * width + column]) continue
      let sum = 0
      for (let y = 0; y < CELL; y += 1)
        for (let x = 0; x < CELL; x += 1) {
          const [u, v] = [column * CELL + x, row * CELL + y]
          const [px, py] = [Math.round(a * u - b * v + c), Math.round(b * u + a * v + d)]
          const ink = px >= 0 && py >= 0 && px < page.width && py < page.height ? page.ink[py * page.width + px] : 0
          if (ink && !isOfCopy(px, py)) sum += ink
        }
      if (sum >= LEAST_INK) dark[row * width + column] = 1
    }
  eraseStains(dark, width, height)
  let cells = 0
  for (const [at, isDark] of dark.entries()) {
    if (!isDark) continue
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
    cells += 1
  }
  return cells < LEAST_CELLS ? null : { width, height, bits }
}

function grownBy(cells: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  let grown = cells
  for (const [step, inRow] of [
    [1, true],
    [width, false],
  ] as const) {
    const next = new Uint8Array(grown)
    for (const [at, dark] of grown.entries()) {
      if (!dark) continue
      for (let off = -reach; off <= reach; off += 1) {
        const to = at + off * step
        const isInside = inRow ? Math.floor(to / width) === Math.floor(at / width) : to >= 0 && to < width * height
        if (isInside) next[to] = 1
      }
    }
    grown = next
  }
  return grown
}

/** Squares dark all around are a stain or a punched hole. */
const SOLID = 4

function eraseStains(dark: Uint8Array, width: number, height: number): void {
  const around = (at: number, reach: number) => cellsAround(at, { width, height }, reach)
  const cells = [...dark.keys()].filter((at) => dark[at])
  const solid = cells.filter((at) => around(at, SOLID).every((near) => dark[near]))
  for (const at of solid) for (const near of around(at, SOLID + 1)) dark[near] = 0
}

interface ComparableWriting {
  width: number
  height: number
  bits: Uint32Array
  /** Dark squares and their neighbours, as two scans of a page lie a little apart. */
  grown: Uint32Array
  dark: number
}

export function toComparable({ width, height, bits: bytes }: WrittenInk): ComparableWriting {
  const bits = words(bytes)
  const dark = bits.reduce((sum, word) => sum + countBits(word), 0)
  return { width, height, bits, grown: words(grow({ width, height, bits: bytes })), dark }
}

/** Share of dark squares that two scans of one sheet have in common, neighbours included. */
const SAME_SHEET = 0.75
/** Two students' full pages correlate up to 0.6, two scans of one sheet from 0.85. */
const SAME_WRITING = 0.75

export function isSameSheet(one: ComparableWriting, other: ComparableWriting): boolean {
  if (one.width !== other.width || one.height !== other.height) return false
  return isWithin(one, other) && isWithin(other, one) && correlation(one, other) >= SAME_WRITING
}

function correlation(one: ComparableWriting, other: ComparableWriting): number {
  const squares = one.width * one.height
  const [p, q] = [one.dark / squares, other.dark / squares]
  const spread = Math.sqrt(p * (1 - p) * q * (1 - q))
  let both = 0
  for (const down of [-1, 0, 1])
    for (const right of [-1, 0, 1]) both = Math.max(both, countBoth(one.bits, other.bits, down * one.width + right))
  return spread > 0 ? (both / squares - p * q) / spread : 0
}

function countBoth(one: Uint32Array, other: Uint32Array, shift: number): number {
  const [wholeWords, bits] = [Math.floor(shift / 32), ((shift % 32) + 32) % 32]
  let both = 0
  for (let i = 0; i < one.length; i += 1) {
    const low = other[i + wholeWords] ?? 0
    const high = bits === 0 ? 0 : (other[i + wholeWords + 1] ?? 0) << (32 - bits)
    both += countBits((one[i] ?? 0) & ((low >>> bits) | high))
  }
  return both
}

/** Stops once too many squares are missing: most pages differ near the top. */
function isWithin({ bits, dark }: ComparableWriting, { grown }: ComparableWriting): boolean {
  const most = dark * (1 - SAME_SHEET)
  let missing = 0
  for (let i = 0; i < bits.length; i += 1) {
    const alone = (bits[i] ?? 0) & ~(grown[i] ?? 0)
    if (alone === 0) continue
    missing += countBits(alone)
    if (missing > most) return false
  }
  return true
}

function words(bytes: Buffer): Uint32Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  whole.set(bytes)
  return new Uint32Array(whole.buffer)
}

const counts = Uint8Array.from(
  { length: 256 },
  (_, byte) => [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => byte & (1 << i)).length,
)
const countBits = (word: number) =>
  (counts[word & 255] ?? 0) +
  (counts[(word >>> 8) & 255] ?? 0) +
  (counts[(word >>> 16) & 255] ?? 0) +
  (counts[word >>> 24] ?? 0)

function grow({ width, height, bits }: WrittenInk): Buffer {
  const grown = Buffer.alloc(bits.length)
  const set = (at: number) => {
    grown[at >> 3] = (grown[at >> 3] ?? 0) | (1 << (at & 7))
  }
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column
      if (!((bits[at >> 3] ?? 0) & (1 << (at & 7)))) continue
      set(at)
      if (column > 0) set(at - 1)
      if (column < width - 1) set(at + 1)
      if (row > 0) set(at - width)
      if (row < height - 1) set(at + width)
    }
  return grown
}
