import { apply, fitTransform, invert, type PointPair, type Transform } from '../../lib/plane-transform.ts'
import type { Point } from '../geometry/matrix.ts'
import type { PageImage } from '../pdf/page-image.ts'
import { findDisc } from './find-marks.ts'
import type { PageCode } from './page-code.ts'
import { readQrCodes, type SeenCode } from './read-qr-codes.ts'
import { codeCorners, MARK_DIAMETER, markCentres, type Size, sheetSize } from './sheet-layout.ts'

export interface FoundPageCode extends PageCode {
  /** From the picture's pixels to points of the printed sheet, from its top left; `sheetToBlank` leads on to the blank's page. */
  toSheet: Transform
  /** How many of the four corner marks were found: with two or more places are exact to about a point. */
  marks: number
  /** How far from where `toSheet` says a corner of its codes was seen, at most, in points: with four marks, which alone tell it, a check. */
  codeError: number
  /** Degrees clockwise by which the sheet is turned in the picture, 0 to 359. */
  rotation: number
}

/**
 * The code of a printed page in a grey picture of it, however it lies. Undefined where none can be read, and where there are codes of
 * several pages, as of two sheets in one picture.
 */
export async function findPageCode(picture: PageImage): Promise<FoundPageCode | undefined> {
  const seen = await readQrCodes(picture)
  const [first] = seen
  if (!first || seen.some((one) => !isSamePage(one, first))) return undefined
  const sheet = sheetSize(first.format)
  const corners = seen.flatMap((code) => pairsOf(code, sheet))
  const rough = fitTransform(corners, 'similarity')
  if (!rough) return undefined
  const { transform, marks } = refine(picture, sheet, corners, rough)
  const toSheet = invert(transform)
  if (!toSheet) return undefined
  const [x, y] = apply(transform, [0, 0])
  const [across, down] = apply(transform, [sheet.width, 0])
  const rotation = (Math.atan2(down - y, across - x) * 180) / Math.PI
  const errors = corners.map(({ from, to }) => distanceBetween(apply(toSheet, to), from))
  const { copyId, page, format, reduction } = first
  const code = { copyId, page, format, reduction }
  return { ...code, toSheet, marks, codeError: Math.max(...errors), rotation: (rotation + 360) % 360 }
}

const distanceBetween = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

const isSamePage = (a: PageCode, b: PageCode) =>
  a.copyId === b.copyId &&
  a.page === b.page &&
  a.reduction === b.reduction &&
  a.format.name === b.format.name &&
  a.format.landscape === b.format.landscape

/** From the sheet to the picture. */
function pairsOf({ place, corners }: SeenCode, sheet: Size): PointPair[] {
  return codeCorners(place, sheet).flatMap((from, i) => {
    const to = corners[i]
    return to ? [{ from, to }] : []
  })
}

/**
 * Looks for the corner marks, nearest to the codes first, as each one found tells better where the next must be. A code is so small that a
 * pixel's error at it is many at the other end of the sheet.
 */
function refine(picture: PageImage, sheet: Size, corners: readonly PointPair[], rough: Transform) {
  const found: PointPair[] = []
  let transform = rough
  const distance = (mark: Point) =>
    Math.min(...[...corners, ...found].map(({ from }) => Math.hypot(from[0] - mark[0], from[1] - mark[1])))
  const left = markCentres(sheet)
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

/** A point of error for so many points of distance: paper stretches, and a code's corners are known to a third of a module. */
const REACH = 0.05

const scaleAt = (transform: Transform, [x, y]: Point): number => {
  const [ax, ay] = apply(transform, [x, y])
  const [bx, by] = apply(transform, [x + 1, y])
  return Math.hypot(bx - ax, by - ay)
}

/** As freely as the points allow: codes lie on one axis, so without marks there is only a similarity. */
function fit(corners: readonly PointPair[], found: readonly PointPair[]): Transform | null {
  // A mark's middle is known better than a code's corner.
  const pairs = [...corners, ...found, ...found, ...found]
  const codes = corners.length / 4
  if (found.length >= 4) return fitTransform(found, 'perspective')
  if (found.length === 3 || (found.length === 2 && codes > 1)) return fitTransform(pairs, 'affine')
  return fitTransform(pairs, 'similarity')
}
