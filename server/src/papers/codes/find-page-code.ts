import { apply, fitTransform, invert, type PointPair, type Transform } from '../../lib/plane-transform.ts'
import { cornersOf, type Point } from '../geometry/matrix.ts'
import { findInkBlobs, type InkBlob } from '../ocr/ink-blobs.ts'
import { cutOut, type PageImage } from '../pdf/page-image.ts'
import { encodePageCode, type PageCode } from './page-code.ts'
import { readQrCodes, type SeenCode } from './read-qr-codes.ts'
import { codeBox, MARK_DIAMETER, markCentres, type Size, sheetSize } from './sheet-layout.ts'

export interface FoundPageCode extends PageCode {
  /** From pixels to points of the printed sheet, from its top left. */
  toSheet: Transform
  /** With two or more of the four, places are exact to about a point. */
  marks: number
  /** The largest distance, in points, of a code's corner from where `toSheet` puts it. */
  codeError: number
  /** Degrees clockwise, 0 to 359. */
  rotation: number
}

/** Undefined without a code, or with codes of several pages. */
export async function findPageCode(picture: PageImage): Promise<FoundPageCode | undefined> {
  const seen = await readQrCodes(picture)
  const [first] = seen
  if (!first || seen.some((one) => !isSamePage(one, first))) return undefined
  const sheet = sheetSize(first.format)
  const corners = seen.flatMap((code) => pairsOf(code, sheet))
  const rough = fitTransform(corners, 'similarity')
  if (!rough) return undefined
  const { transform, marks } = refine(picture, first, corners, rough)
  const toSheet = invert(transform)
  if (!toSheet) return undefined
  const [x, y] = apply(transform, [0, 0])
  const [across, down] = apply(transform, [sheet.width, 0])
  const rotation = (Math.atan2(down - y, across - x) * 180) / Math.PI
  const errors = corners.map(({ from, to }) => distanceBetween(apply(toSheet, to), from))
  const { place: _, corners: _seen, ...code } = first
  return { ...code, toSheet, marks, codeError: Math.max(...errors), rotation: (rotation + 360) % 360 }
}

const distanceBetween = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])
const isSamePage = (a: PageCode, b: PageCode) => encodePageCode(a, 'top').equals(encodePageCode(b, 'top'))

function pairsOf({ place, layout, corners }: SeenCode, sheet: Size): PointPair[] {
  return cornersOf(codeBox(place, sheet, layout)).flatMap((from, i) => {
    const to = corners[i]
    return to ? [{ from, to }] : []
  })
}

/** Starts with the marks nearest to the codes: a pixel's error at a code is many at the sheet's other end. */
function refine(picture: PageImage, { format, layout }: PageCode, corners: readonly PointPair[], rough: Transform) {
  const found: PointPair[] = []
  let transform = rough
  const distance = (mark: Point) =>
    Math.min(...[...corners, ...found].map(({ from }) => Math.hypot(from[0] - mark[0], from[1] - mark[1])))
  const left = markCentres(sheetSize(format), layout)
  while (left.length > 0) {
    const next = left.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best))
    left.splice(left.indexOf(next), 1)
    const near = apply(transform, next)
    const scale = scaleAt(transform, next)
    const reach = scale * (6 + REACH * distance(next))
    const disc = findDisc(picture, near, reach, MARK_DIAMETER * scale)
    if (!disc) continue
    found.push({ from: next, to: disc })
    transform = fit(corners, found) ?? transform
  }
  return { transform, marks: found.length }
}

const REACH = 0.05

const scaleAt = (transform: Transform, [x, y]: Point): number => {
  const [ax, ay] = apply(transform, [x, y])
  const [bx, by] = apply(transform, [x + 1, y])
  return Math.hypot(bx - ax, by - ay)
}

/** Codes lie on one axis, so without marks there is only a similarity. */
function fit(corners: readonly PointPair[], found: readonly PointPair[]): Transform | null {
  // A mark's middle is known better than a code's corner.
  const pairs = [...corners, ...found, ...found, ...found]
  const codes = corners.length / 4
  if (found.length >= 4) return fitTransform(found, 'perspective')
  if (found.length === 3 || (found.length === 2 && codes > 1)) return fitTransform(pairs, 'affine')
  return fitTransform(pairs, 'similarity')
}

function findDisc(picture: PageImage, near: Point, reach: number, diameter: number): Point | null {
  const window = cut(picture, near, reach + diameter)
  if (!window) return null
  const threshold = darkThreshold(window.data)
  if (threshold === null) return null
  let best: { point: Point; distance: number } | null = null
  for (const blob of findInkBlobs(window, threshold)) {
    if (!isDisc(blob, window, diameter)) continue
    const point = middle(blob, window, threshold)
    const distance = Math.hypot(point[0] - near[0], point[1] - near[1])
    if (distance <= reach && (!best || distance < best.distance)) best = { point, distance }
  }
  return best?.point ?? null
}

interface Window extends PageImage {
  left: number
  top: number
}

function cut(picture: PageImage, [x, y]: Point, reach: number): Window | null {
  const left = Math.max(0, Math.floor(x - reach))
  const top = Math.max(0, Math.floor(y - reach))
  const width = Math.min(picture.width, Math.ceil(x + reach)) - left
  const height = Math.min(picture.height, Math.ceil(y + reach)) - top
  if (!(width > 4 && height > 4)) return null
  return { ...cutOut(picture, { x: left, y: top, width, height }), left, top }
}

function darkThreshold(data: Uint8Array): number | null {
  const sorted = Uint8Array.from(data).sort()
  const [ink = 0, paper = 255] = [sorted[Math.floor(sorted.length * 0.01)], sorted[Math.floor(sorted.length * 0.75)]]
  return paper - ink < 50 ? null : (paper + ink) / 2
}

function isDisc({ x0, y0, x1, y1, pixels }: InkBlob, { width, height }: Window, diameter: number): boolean {
  const full = (Math.PI / 4) * diameter * diameter
  const [across, down] = [x1 - x0 + 1, y1 - y0 + 1]
  const round = pixels / (across * down)
  const touchesEdge = x0 === 0 || y0 === 0 || x1 === width - 1 || y1 === height - 1
  const elongation = Math.max(across, down) / Math.min(across, down)
  return !touchesEdge && pixels > 0.6 * full && pixels < 1.5 * full && round > 0.66 && round < 0.9 && elongation < 1.3
}

function middle({ x0, y0, x1, y1 }: InkBlob, { data, width, left, top }: Window, threshold: number): Point {
  let [total, sumX, sumY] = [0, 0, 0]
  for (let y = y0; y <= y1; y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const grey = data[y * width + x] ?? 255
      if (grey >= threshold) continue
      total += 255 - grey
      sumX += (255 - grey) * x
      sumY += (255 - grey) * y
    }
  return [sumX / total + 0.5 + left, sumY / total + 0.5 + top]
}
