import type { Box } from '@assay/shared/papers.ts'

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number]
export type Point = readonly [number, number]

export function toMatrix(numbers: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers
  return [a, b, c, d, e, f]
}

/** `right` first, then `left`. */
export function multiply(left: Matrix, right: Matrix): Matrix {
  return [
    left[0] * right[0] + left[2] * right[1],
    left[1] * right[0] + left[3] * right[1],
    left[0] * right[2] + left[2] * right[3],
    left[1] * right[2] + left[3] * right[3],
    left[0] * right[4] + left[2] * right[5] + left[4],
    left[1] * right[4] + left[3] * right[5] + left[5],
  ]
}

export const cornersOf = ({ x, y, width, height }: Box): [Point, Point, Point, Point] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

export function boundingBox(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** From PDF coordinates to the page as shown. */
export function toPageBox(rect: readonly number[], viewport: { transform: number[] }): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect
  const [a, b, c, d, e, f] = toMatrix(viewport.transform)
  const at = (x: number, y: number): Point => [a * x + c * y + e, b * x + d * y + f]
  return boundingBox([at(x1, y1), at(x2, y2)])
}
