import { clamp, mean, median } from '../../lib/numbers.ts'
import type { Point } from '../geometry/matrix.ts'
import { type Mat, type OpenCv, type Own, withOpenCv } from './opencv.ts'
import {
  areaOf,
  type Corners,
  distance,
  inOrder,
  intersection,
  looksLikeASheet,
  movedOutwards,
  sidesOf,
} from './quadrilateral.ts'
import { type ColourPixels, type SmallPicture, shrinkToFind } from './small-picture.ts'

/** Of the whole picture; smaller is a label or a window. */
const minAreaShare = 0.15
/** Pixels; no writing could be read below it. */
const minSide = 250
/** A larger one is the picture itself: there is nothing around the sheet. */
const maxAreaShare = 0.97
/** The rest is a hand, or pictures on the page. */
const minFill = 0.82
/** Of an area: a larger hole is the sheet. */
const maxHole = 0.3
/** Steps of brightness between neighbours that end a smooth area, from faint to clear edges. */
const edgeSteps = [3, 6, 11, 18] as const
/** Pixels: what is narrower is cut off, as a light square of a tablecloth that the sheet touches. */
const necks = [5, 45] as const
/** Visible share of each side, and of all four on average. */
const minEdgeShare = { side: 0.45, mean: 0.7 }
/** In Lab, across an edge, above noise. */
const minContrast = 7

interface FoundSheet {
  corners: Corners
  area: number
  score: number
}

/** None when in doubt, since a wrong edge would cut off writing. @returns in pixels, in reading order */
export async function findSheets(picture: ColourPixels): Promise<Corners[]> {
  if (Math.max(picture.width, picture.height) < minSide) return []
  return withOpenCv((cv, own) => {
    const small = shrinkToFind(cv, own, picture)
    const candidates = edgeSteps.flatMap((step) => necks.flatMap((neck) => smoothAreas(cv, own, small, step, neck)))
    const found: FoundSheet[] = []
    for (const rough of candidates) {
      const corners = refine(rough, small)
      if (!corners) continue
      const area = areaOf(corners)
      const share = area / (small.width * small.height)
      if (share < minAreaShare || share > maxAreaShare || !looksLikeASheet(corners)) continue
      const seen = sidesOf(corners).map((side) => edgeShare(side, small))
      const edges = mean(seen)
      if (Math.min(...seen) < minEdgeShare.side || edges < minEdgeShare.mean) continue
      found.push({ corners, area, score: edges * Math.sqrt(share) })
    }
    const [best] = found.sort((a, b) => b.score - a.score)
    if (!best) return []
    // Two sheets close together may also have been found as one.
    const pair = found
      .flatMap((one) => found.map((other) => [one, other] as const))
      .find(([one, other]) => one.area + other.area > 0.7 * best.area && isAnotherSheet(one, other, small))
    const sheets = pair ?? [best]
    const { scale, width, height } = small
    return sheets
      .map(({ corners }) => corners.map(([x, y]): Point => [clamp(x, 0, width) / scale, clamp(y, 0, height) / scale]))
      .map(inOrder)
      .sort((a, b) => readingOrder(centreOf(a), centreOf(b)))
  })
}

const centreOf = (corners: Corners): Point => [mean(corners.map(([x]) => x)), mean(corners.map(([, y]) => y))]
const readingOrder = ([ax, ay]: Point, [bx, by]: Point) => (Math.abs(ax - bx) > Math.abs(ay - by) ? ax - bx : ay - by)

/** About as large and of like paper: else it is the same sheet, a book, or the table beside it. */
function isAnotherSheet(one: FoundSheet, other: FoundSheet, small: SmallPicture): boolean {
  const both = [one.corners, other.corners] as const
  const [a, b] = both.map((corners) => small.colourAround(...centreOf(corners)))
  const across = Math.min(...both.flatMap((corners) => sidesOf(corners).map((side) => distance(...side))))
  const isCut = both.some((corners) => sidesOf(corners).filter((side) => onBorder(side, small, 3)).length > 1)
  if (!a || !b || isCut || distance(centreOf(one.corners), centreOf(other.corners)) < 0.8 * across) return false
  const ratio = one.area / other.area
  return ratio > 0.5 && ratio < 2 && distance([a[1], a[2]], [b[1], b[2]]) < 12 && Math.abs(a[0] - b[0]) < 60
}

function smoothAreas(cv: OpenCv, own: Own, small: SmallPicture, step: number, neck: number): Corners[] {
  const smooth = own(new cv.Mat())
  cv.threshold(small.edges, smooth, step, 255, cv.THRESH_BINARY_INV)
  cv.erode(smooth, smooth, own(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(5, 5))))
  if (neck > 5) {
    // OpenCV applies a square by row and by column: 30 times as fast.
    const square = own(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(neck, neck)))
    cv.morphologyEx(smooth, smooth, cv.MORPH_OPEN, square)
  }
  const contours = own(new cv.MatVector())
  const family = own(new cv.Mat())
  cv.findContours(smooth, contours, family, cv.RETR_CCOMP, cv.CHAIN_APPROX_SIMPLE)
  const found: Corners[] = []
  // OpenCV's hierarchy: next, previous, first hole, parent; -1 for none.
  const [holes, areas] = [new Map<number, number>(), [] as number[]]
  for (let i = 0; i < contours.size(); i += 1) {
    const area = cv.contourArea(own(contours.get(i)))
    const parent = family.data32S[4 * i + 3] ?? -1
    areas.push(area)
    if (parent >= 0) holes.set(parent, Math.max(area, holes.get(parent) ?? 0))
  }
  for (const [i, area] of areas.entries()) {
    const contour = own(contours.get(i))
    // A table has the sheet as a hole.
    if ((holes.get(i) ?? 0) > maxHole * area) continue
    if (area < 0.8 * minAreaShare * small.width * small.height) continue
    const hull = own(new cv.Mat())
    cv.convexHull(contour, hull)
    if (area < minFill * cv.contourArea(hull)) continue
    const corners = quadrilateralAround(cv, own, hull)
    if (corners) found.push(corners)
  }
  return found
}

function quadrilateralAround(cv: OpenCv, own: Own, hull: Mat): Corners | null {
  const round = cv.arcLength(hull, true)
  for (let share = 0.01; share < 0.08; share += 0.005) {
    const rough = own(new cv.Mat())
    cv.approxPolyDP(hull, rough, share * round, true)
    if (rough.rows < 4) return null
    if (rough.rows > 4) continue
    const at = rough.data32S
    const points = [0, 1, 2, 3].map((i): Point => [at[2 * i] ?? 0, at[2 * i + 1] ?? 0])
    const corners = inOrder(points)
    return cv.contourArea(rough) > 0.88 * cv.contourArea(hull) ? corners : null
  }
  return null
}

/** Pixels, inwards and outwards from a side's rough place. */
const reach = 16

/** Moves each side to the visible edge, and outwards by the paper's bend, so that no writing is cut. */
function refine(rough: Corners, small: SmallPicture): Corners | null {
  const lines = sidesOf(rough).map((side) => {
    const found = edgePoints(side, small)
    if (found.length < 12) return onBorder(side, small) ? side : null
    const line = fitLine(found, side)
    return movedOutwards(line, Math.max(0, Math.min(0.012 * small.width, bend(found, line))))
  })
  const points = lines.map((line, i) => {
    const before = lines[(i + 3) % 4]
    return line && before ? intersection(before, line) : null
  })
  const [a, b, c, d] = points
  return a && b && c && d ? [a, b, c, d] : null
}

/** The most that a sixth of the edge bends away from the line, by its points' median. */
function bend(found: readonly Point[], line: [Point, Point]): number {
  const size = Math.ceil(found.length / 6)
  const stretches = [0, 1, 2, 3, 4, 5].map((i) => found.slice(i * size, (i + 1) * size))
  return Math.max(...stretches.map((stretch) => median(stretch.map((point) => offsetFrom(line, point)))))
}

function edgePoints(side: [Point, Point], small: SmallPicture): Point[] {
  const found: Point[] = []
  for (const { at, outwards } of placesAlong(side, 80)) {
    let best = { change: minContrast / 2, point: null as Point | null }
    for (let by = -reach; by <= reach; by += 1) {
      const change = small.edgeAt(at[0] + outwards[0] * by, at[1] + outwards[1] * by)
      if (change > best.change) best = { change, point: [at[0] + outwards[0] * by, at[1] + outwards[1] * by] }
    }
    if (best.point) found.push(best.point)
  }
  return found
}

function placesAlong([from, to]: [Point, Point], count: number) {
  const length = distance(from, to) || 1
  const outwards: Point = [(to[1] - from[1]) / length, -(to[0] - from[0]) / length]
  return Array.from({ length: count }, (_, i) => {
    const share = 0.03 + (0.94 * (i + 0.5)) / count
    return { at: [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] as Point, outwards }
  })
}

const offsetFrom = ([from, to]: [Point, Point], [x, y]: Point) =>
  ((to[1] - from[1]) * (x - from[0]) - (to[0] - from[0]) * (y - from[1])) / (distance(from, to) || 1)

/** The best line through two of the points (RANSAC), then least squares of those within 3 pixels. */
function fitLine(points: readonly Point[], side: [Point, Point]): [Point, Point] {
  let best = { near: 0, line: side }
  const step = Math.max(1, Math.floor(points.length / 24))
  for (let i = 0; i < points.length; i += step)
    for (let j = i + Math.floor(points.length / 3); j < points.length; j += step) {
      const [from, to] = [points[i], points[j]]
      if (!from || !to) continue
      const near = points.filter((point) => Math.abs(offsetFrom([from, to], point)) < 2.5).length
      if (near > best.near) best = { near, line: [from, to] }
    }
  const near = points.filter((point) => Math.abs(offsetFrom(best.line, point)) < 3)
  if (near.length < 3) return best.line
  return leastSquares(near, side)
}

function leastSquares(points: readonly Point[], [from, to]: [Point, Point]): [Point, Point] {
  const n = points.length
  const [mx, my] = [points.reduce((s, [x]) => s + x, 0) / n, points.reduce((s, [, y]) => s + y, 0) / n]
  let [xx, xy, yy] = [0, 0, 0]
  for (const [x, y] of points) {
    xx += (x - mx) ** 2
    xy += (x - mx) * (y - my)
    yy += (y - my) ** 2
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2
  const along: Point = [Math.cos(angle), Math.sin(angle)]
  const forward = along[0] * (to[0] - from[0]) + along[1] * (to[1] - from[1]) >= 0 ? 1 : -1
  const half = (forward * distance(from, to)) / 2
  return [
    [mx - along[0] * half, my - along[1] * half],
    [mx + along[0] * half, my + along[1] * half],
  ]
}

function edgeShare(side: [Point, Point], small: SmallPicture): number {
  const places = placesAlong(side, 60)
  let seen = 0
  for (const { at, outwards } of places) {
    const inner = small.colourAround(at[0] - 7 * outwards[0], at[1] - 7 * outwards[1])
    const outer = small.colourAround(at[0] + 7 * outwards[0], at[1] + 7 * outwards[1])
    if (!outer) seen += 1
    else if (inner && Math.hypot(inner[0] - outer[0], inner[1] - outer[1], inner[2] - outer[2]) >= minContrast)
      seen += 1
  }
  return seen / places.length
}

function onBorder([from, to]: [Point, Point], { width, height }: SmallPicture, most = reach): boolean {
  const near = (a: number, b: number, end: number) => Math.max(a, b) < most || Math.min(a, b) > end - most
  return near(from[0], to[0], width) || near(from[1], to[1], height)
}
