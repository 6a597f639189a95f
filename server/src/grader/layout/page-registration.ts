import type { Box, Word } from '@assay/shared/papers.ts'
import { median } from '../../lib/numbers.ts'
import { apply, invert, type Transform, toTransform } from '../../lib/plane-transform.ts'
import { cellsOf, normalizeText, type PlacedLine } from './paper-lines.ts'

type Point = readonly [x: number, y: number]

/** Maps between a scan and its page of the blank, which paper and camera move, turn and bend. In points. */
export interface PageRegistration {
  toBlank(x: number, y: number): Point
  toScan(x: number, y: number): Point
  /** Median distance of print from its place, in points. */
  error: number
}

interface Pair {
  blank: Point
  scan: Point
}

/** Fewer pairs, or pairs in a smaller share of the height, tell nothing about tilt. */
const FEWEST_PAIRS = 6
const LEAST_SPREAD = 0.12
/** In points; a larger error means another page or a wrong match. */
const LARGEST_ERROR = 4
const NEAR = 40
const MOST_TURNED = 0.29 // tangent of 16 degrees
const CLOSE = 3

/** An affine map by least squares without outliers, corrected by nearby print. */
export function registerPage(
  matches: readonly { line: PlacedLine; printed: PlacedLine }[],
  pageHeight: number,
): PageRegistration | null {
  const pairs = matches.flatMap(({ line, printed }) => pairsOf(line, printed))
  return registerPairs(pairs, pageHeight)
}

type MappedPoints = readonly (readonly [from: Point, to: Point])[]
const toScanOf = (pairs: readonly Pair[]): MappedPoints => pairs.map(({ blank, scan }) => [blank, scan])
const toBlankOf = (pairs: readonly Pair[]): MappedPoints => pairs.map(({ blank, scan }) => [scan, blank])

function registerPairs(all: Pair[], pageHeight: number): PageRegistration | null {
  let pairs = all
  for (;;) {
    const heights = pairs.map(({ blank }) => blank[1])
    if (pairs.length < FEWEST_PAIRS || Math.max(...heights) - Math.min(...heights) < LEAST_SPREAD * pageHeight)
      return null
    const toScan = fitAffine(toScanOf(pairs))
    if (!toScan) return null
    const off = pairs.map(({ blank, scan }) => distance(toScan(...blank), scan))
    const limit = Math.max(CLOSE, 3 * median(off))
    if (Math.max(...off) <= limit) break
    // A few at a time, as far ones pull the others along.
    const far = off.toSorted((x, y) => y - x)[Math.floor(pairs.length / 12)] ?? 0
    pairs = pairs.filter((_, i) => (off[i] ?? 0) <= limit || (off[i] ?? 0) < far)
  }
  const toScan = fitAffine(toScanOf(pairs))
  const toBlank = fitAffine(toBlankOf(pairs))
  if (!toScan || !toBlank) return null
  const error = median(pairs.map(({ blank, scan }) => distance(toScan(...blank), scan)))
  if (error > LARGEST_ERROR) return null
  return { toScan: bent(toScan, toScanOf(pairs)), toBlank: bent(toBlank, toBlankOf(pairs)), error }
}

/** In points, by paper and lens; what is farther off is other print, or writing. */
const MOST_BENT = 6
/** In points: the doubt that a code alone leaves at the far end of a tilted sheet. */
const ROUGHLY = 24

/** By code and corner marks, corrected by print near its place; without marks by enough print, else null. */
export function registerByCode(
  { transform, exact }: { transform: readonly number[]; exact: boolean },
  lines: readonly PlacedLine[],
  prints: readonly PlacedLine[],
  pageHeight: number,
): PageRegistration | null {
  const there = toTransform(transform)
  const back = invert(there)
  // OCR left it on its side or upside down.
  if (!back || !isUpright(back)) return null
  const off = ({ blank, scan }: Pair) => distance(apply(there, scan), blank)
  const near = lines
    .flatMap((line) => prints.flatMap((printed) => pairsOf(line, printed)))
    .filter((pair) => off(pair) <= ROUGHLY)
  const pairs = near.filter((pair) => off(pair) <= MOST_BENT)
  const isRefuted = near.length >= FEWEST_PAIRS && pairs.length < near.length / 2
  if (!exact || isRefuted) return registerPairs(near, pageHeight)
  return {
    toScan: bent((x, y) => apply(back, [x, y]), toScanOf(pairs)),
    toBlank: bent((x, y) => apply(there, [x, y]), toBlankOf(pairs)),
    error: median(pairs.map(off)),
  }
}

function isUpright(back: Transform): boolean {
  const [[x, y], [right, rise]] = [apply(back, [0, 0]), apply(back, [100, 0])]
  return right > x && Math.abs(rise - y) <= MOST_TURNED * (right - x)
}

/** The box of a word stays upright on a turned page. */
export function mapBox(box: Box, map: (x: number, y: number) => Point): Box {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const [middleX, middleY] = map(x, y)
  const width = distance(map(x - box.width / 2, y), map(x + box.width / 2, y))
  const height = distance(map(x, y - box.height / 2), map(x, y + box.height / 2))
  return { x: middleX - width / 2, y: middleY - height / 2, width, height }
}

/** A printed line's box goes from its font's top to its bottom. */
export const printedBaseline = ({ box }: { box: Box }): number => box.y + box.height * 0.79
/** OCR boxes a word around its ink. */
export const wordBaseline = ({ text, box }: { text: string; box: Box }, em: number): number =>
  box.y + box.height - (/[gjpqyQ,;()[\]]/.test(text) ? 0.22 * em : 0)

function pairsOf(line: PlacedLine, printed: PlacedLine): Pair[] {
  const words = (line.words ?? []).map((word) => ({ ...word, plain: normalizeText(word.text) }))
  const em = printed.box.height / 1.07
  const y = printedBaseline(printed)
  let from = 0
  return cellsOf(printed).flatMap((cell): Pair[] => {
    const printedWords = cell.text.split(/\s+/).map(normalizeText)
    const [first = '', last = ''] = [printedWords[0], printedWords.at(-1)]
    const start = words.findIndex(({ plain }, i) => i >= from && plain === first)
    const end = words.findLastIndex(({ plain }, i) => i >= Math.max(from, start) && plain === last)
    if (start >= 0) from = start
    const pairs: Pair[] = []
    const [one, other] = [words[start], words[end]]
    // A word's middle stays where it is however the page is turned.
    const middle = (word: Word): Point => [word.box.x + word.box.width / 2, wordBaseline(word, em)]
    if (one && (first.length > 1 || start === 0))
      pairs.push({ blank: [cell.x + one.box.width / 2, y], scan: middle(one) })
    if (other && last.length > 2)
      pairs.push({ blank: [cell.x + cell.width - other.box.width / 2, y], scan: middle(other) })
    return pairs
  })
}

type Map2 = (x: number, y: number) => Point

/** Least squares: u = a·x + b·y + c and v = d·x + e·y + f. */
function fitAffine(pairs: MappedPoints): Map2 | null {
  const n = pairs.length
  const mean = (of: (pair: readonly [Point, Point]) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0) / n
  const [mx, my, mu, mv] = [mean(([p]) => p[0]), mean(([p]) => p[1]), mean(([, q]) => q[0]), mean(([, q]) => q[1])]
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0]
  for (const [[px, py], [pu, pv]] of pairs) {
    const [x, y, u, v] = [px - mx, py - my, pu - mu, pv - mv]
    xx += x * x
    xy += x * y
    yy += y * y
    xu += x * u
    yu += y * u
    xv += x * v
    yv += y * v
  }
  const det = xx * yy - xy * xy
  if (det < 1e-6 * (xx + yy) ** 2) return null
  const [a, b] = [(xu * yy - yu * xy) / det, (yu * xx - xu * xy) / det]
  const [d, e] = [(xv * yy - yv * xy) / det, (yv * xx - xv * xy) / det]
  // Neither mirrored nor at half or double size, and turned by 15 degrees at most.
  if (a < 0.5 || a > 2 || e < 0.5 || e > 2 || Math.abs(b) > MOST_TURNED || Math.abs(d) > MOST_TURNED) return null
  return (x, y) => [mu + a * (x - mx) + b * (y - my), mv + d * (x - mx) + e * (y - my)]
}

function bent(map: Map2, pairs: MappedPoints): Map2 {
  const rests = pairs.map(([from, to]) => {
    const [u, v] = map(...from)
    return { from, rest: [to[0] - u, to[1] - v] as const }
  })
  return (x, y) => {
    const [u, v] = map(x, y)
    let [du, dv, weights] = [0, 0, 0.2 / NEAR ** 2]
    for (const { from, rest } of rests) {
      const weight = 1 / ((from[0] - x) ** 2 / 9 + (from[1] - y) ** 2 + NEAR)
      if (weight < 1 / (NEAR * NEAR * 6)) continue
      du += weight * rest[0]
      dv += weight * rest[1]
      weights += weight
    }
    return [u + du / weights, v + dv / weights]
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])
