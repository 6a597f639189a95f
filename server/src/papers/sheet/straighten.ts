import { type Transform, toTransform } from '../../lib/plane-transform.ts'
import type { Point } from '../geometry/matrix.ts'
import { withOpenCv } from './opencv.ts'
import { type Corners, distance, sidesOf } from './quadrilateral.ts'
import type { ColourPixels } from './small-picture.ts'

const sheets = [
  { ratio: Math.SQRT2, points: [595.28, 841.89] },
  { ratio: 11 / 8.5, points: [612, 792] },
] as const

interface SheetSize {
  ratio: number
  points: { width: number; height: number }
}

/** A4 or Letter where the corners nearly match, else as long as A4. */
export function sheetSize(corners: Corners, picture: { width: number; height: number }): SheetSize {
  const seen = aspectOf(corners, picture)
  const [long, upright] = [Math.max(seen, 1 / seen), seen < 1]
  const nearest = sheets
    .map((one) => ({ ...one, off: Math.abs(Math.log(long / one.ratio)) }))
    .sort((a, b) => a.off - b.off)[0]
  const [short = 595.28, longer = 841.89] = nearest && nearest.off < 0.09 ? nearest.points : [841.89 / long, 841.89]
  const points = upright ? { width: short, height: longer } : { width: longer, height: short }
  return { ratio: points.width / points.height, points }
}

/** Width by height (Zhang and He, Whiteboard scanning, 2007, section 4), or of the sides when seen from above. */
function aspectOf(corners: Corners, { width, height }: { width: number; height: number }): number {
  const [top = 1, right = 1, bottom = 1, left = 1] = sidesOf(corners).map(([from, to]) => distance(from, to))
  const bySides = Math.sqrt((top * bottom) / (right * left))
  const middle: Point = [width / 2, height / 2]
  const [m1, m2, m4, m3] = corners.map(([x, y]): Vector => [x - middle[0], y - middle[1], 1]) as [
    Vector,
    Vector,
    Vector,
    Vector,
  ]
  const k2 = dot(cross(m1, m4), m3) / dot(cross(m2, m4), m3)
  const k3 = dot(cross(m1, m4), m2) / dot(cross(m3, m4), m2)
  const n2: Vector = [k2 * m2[0] - m1[0], k2 * m2[1] - m1[1], k2 - 1]
  const n3: Vector = [k3 * m3[0] - m1[0], k3 * m3[1] - m1[1], k3 - 1]
  const focal2 = -(n2[0] * n3[0] + n2[1] * n3[1]) / (n2[2] * n3[2])
  const side = Math.max(width, height)
  if (!(focal2 > (0.5 * side) ** 2 && focal2 < (3 * side) ** 2)) return bySides
  const length = ([x, y, z]: Vector) => Math.sqrt((x * x + y * y) / focal2 + z * z)
  const ratio = length(n2) / length(n3)
  return ratio > bySides / 1.6 && ratio < bySides * 1.6 ? ratio : bySides
}

type Vector = [number, number, number]
const cross = ([a, b, c]: Vector, [d, e, f]: Vector): Vector => [b * f - c * e, c * d - a * f, a * e - b * d]
const dot = ([a, b, c]: Vector, [d, e, f]: Vector) => a * d + b * e + c * f

export function straighten<P extends ColourPixels>(
  picture: P,
  corners: Corners,
  size: { width: number; height: number },
): Promise<{ sheet: P; toPicture: Transform }> {
  return withOpenCv((cv, own) => {
    const { width: w, height: h } = size
    const type = picture.channels === 1 ? cv.CV_8UC1 : cv.CV_8UC3
    const whole = own(new cv.Mat(picture.height, picture.width, type))
    whole.data.set(picture.data)
    const from = own(cv.matFromArray(4, 1, cv.CV_32FC2, corners.flat()))
    const to = own(cv.matFromArray(4, 1, cv.CV_32FC2, [0, 0, w, 0, w, h, 0, h]))
    const map = own(cv.getPerspectiveTransform(from, to))
    const back = own(cv.getPerspectiveTransform(to, from))
    const out = own(new cv.Mat())
    cv.warpPerspective(whole, out, map, new cv.Size(w, h), cv.INTER_LINEAR, cv.BORDER_REPLICATE)
    return {
      sheet: { ...picture, width: w, height: h, data: Uint8Array.from(out.data) },
      toPicture: toTransform([...back.data64F]),
    }
  })
}
