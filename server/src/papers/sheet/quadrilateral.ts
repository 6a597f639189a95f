import type { Point } from '../geometry/matrix.ts'

/** Clockwise from the upper left. */
export type Corners = readonly [Point, Point, Point, Point]
export const distance = ([x1, y1]: Point, [x2, y2]: Point): number => Math.hypot(x2 - x1, y2 - y1)

export function toCorners(points: readonly Point[]): Corners {
  const [a, b, c, d] = points
  if (!a || !b || !c || !d) throw new Error('a quadrilateral has four corners')
  return [a, b, c, d]
}

export function sidesOf(corners: Corners): [Point, Point][] {
  return corners.map((corner, i) => [corner, corners[(i + 1) % 4] ?? corner])
}

/** In square pixels; positive where the corners go clockwise. */
export function areaOf(corners: Corners): number {
  return sidesOf(corners).reduce((sum, [[x1, y1], [x2, y2]]) => sum + (x1 * y2 - x2 * y1) / 2, 0)
}

/** Clockwise, from the corner nearest to the picture's upper left. */
export function inOrder(points: readonly Point[]): Corners {
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0) / points.length, 0))
  const around = ([px, py]: Point) => Math.atan2(py - (y ?? 0), px - (x ?? 0))
  const clockwise = [...points].sort((a, b) => around(a) - around(b))
  const sums = clockwise.map(([px, py]) => px + py)
  const first = sums.indexOf(Math.min(...sums))
  return toCorners([...clockwise.slice(first), ...clockwise.slice(0, first)])
}

export function looksLikeASheet(corners: Corners): boolean {
  const sides = sidesOf(corners)
  const lengths = sides.map(([from, to]) => distance(from, to))
  const [top = 0, right = 0, bottom = 0, left = 0] = lengths
  if (Math.min(...lengths) < 1) return false
  if (Math.min(top, bottom) < 0.4 * Math.max(top, bottom) || Math.min(left, right) < 0.4 * Math.max(left, right))
    return false
  return sides.every(([[x1, y1], [x2, y2]], i) => {
    const [, [x3, y3]] = sides[(i + 1) % 4] ?? [[0, 0] as Point, [0, 0] as Point]
    const turn = ((x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2)) / ((lengths[i] ?? 1) * (lengths[(i + 1) % 4] ?? 1))
    return turn > 0.6
  })
}

/** To the left of the line's direction, which is outwards as corners go clockwise. */
export function movedOutwards([[x1, y1], [x2, y2]]: [Point, Point], by: number): [Point, Point] {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [dx, dy] = [((y2 - y1) / length) * by, (-(x2 - x1) / length) * by]
  return [
    [x1 + dx, y1 + dy],
    [x2 + dx, y2 + dy],
  ]
}

export function intersection([[x1, y1], [x2, y2]]: [Point, Point], [[x3, y3], [x4, y4]]: [Point, Point]): Point | null {
  const below = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
  if (Math.abs(below) < 1e-9) return null
  const [a, b] = [x1 * y2 - y1 * x2, x3 * y4 - y3 * x4]
  return [(a * (x3 - x4) - (x1 - x2) * b) / below, (a * (y3 - y4) - (y1 - y2) * b) / below]
}
