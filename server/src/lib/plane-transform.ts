type Point = readonly [x: number, y: number]
/** Row by row: (x, y, 1) to (x′·w, y′·w, w). */
export type Transform = readonly [number, number, number, number, number, number, number, number, number]

export interface PointPair {
  from: Point
  to: Point
}

export function apply([a, b, c, d, e, f, g, h, i]: Transform, [x, y]: Point): Point {
  const w = g * x + h * y + i
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w]
}

export function chain(first: Transform, then: Transform): Transform {
  const product = [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) => [0, 1, 2].reduce((sum, k) => sum + at(then, row, k) * at(first, k, column), 0)),
  )
  return toTransform(product)
}

const at = (transform: Transform, row: number, column: number) => transform[3 * row + column] ?? 0

export function invert([a, b, c, d, e, f, g, h, i]: Transform): Transform | null {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  if (!(Math.abs(determinant) > 1e-15)) return null
  const cofactors = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].flat()
  return toTransform(cofactors.map((one) => one / determinant))
}

/** Four, six or eight unknowns, from at least two, three or four points. */
type Freedom = 'similarity' | 'affine' | 'perspective'

export function fitTransform(pairs: readonly PointPair[], freedom: Freedom): Transform | null {
  const from = normalise(pairs.map((pair) => pair.from))
  const to = normalise(pairs.map((pair) => pair.to))
  const rows: number[][] = []
  const values: number[] = []
  for (const pair of pairs) {
    const [x, y] = apply(from, pair.from)
    const [u, v] = apply(to, pair.to)
    rows.push(...equations[freedom](x, y, u, v))
    values.push(u, v)
  }
  const solved = leastSquares(rows, values)
  const back = invert(to)
  return solved && back ? chain(chain(from, expand[freedom](solved)), back) : null
}

const equations: Record<Freedom, (x: number, y: number, u: number, v: number) => number[][]> = {
  similarity: (x, y) => [
    [x, -y, 1, 0],
    [y, x, 0, 1],
  ],
  affine: (x, y) => [
    [x, y, 1, 0, 0, 0],
    [0, 0, 0, x, y, 1],
  ],
  perspective: (x, y, u, v) => [
    [x, y, 1, 0, 0, 0, -u * x, -u * y],
    [0, 0, 0, x, y, 1, -v * x, -v * y],
  ],
}

const expand: Record<Freedom, (solved: number[]) => Transform> = {
  similarity: ([a = 1, b = 0, c = 0, d = 0]) => [a, -b, c, b, a, d, 0, 0, 1],
  affine: ([a = 1, b = 0, c = 0, d = 0, e = 1, f = 0]) => [a, b, c, d, e, f, 0, 0, 1],
  perspective: ([a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0]) => [a, b, c, d, e, f, g, h, 1],
}

/** To mean 0 and mean distance 1, as the equations are ill-conditioned in pixels. */
function normalise(points: readonly Point[]): Transform {
  const count = Math.max(1, points.length)
  const mx = points.reduce((sum, [x]) => sum + x, 0) / count
  const my = points.reduce((sum, [, y]) => sum + y, 0) / count
  const spread = points.reduce((sum, [x, y]) => sum + Math.hypot(x - mx, y - my), 0) / count
  const s = spread > 0 ? 1 / spread : 1
  return [s, 0, -s * mx, 0, s, -s * my, 0, 0, 1]
}

/** Normal equations; null without a single solution. */
function leastSquares(rows: readonly number[][], values: readonly number[]): number[] | null {
  const size = rows[0]?.length ?? 0
  const matrix = Array.from({ length: size }, (_, i) => {
    const left = Array.from({ length: size }, (_, j) =>
      rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0),
    )
    return [...left, rows.reduce((sum, row, k) => sum + (row[i] ?? 0) * (values[k] ?? 0), 0)]
  })
  for (let column = 0; column < size; column += 1) {
    const pivot = matrix.slice(column).reduce((best, row) => (abs(row, column) > abs(best, column) ? row : best))
    if (abs(pivot, column) < 1e-10) return null
    matrix.splice(matrix.indexOf(pivot), 1)
    matrix.splice(column, 0, pivot)
    for (const row of matrix) {
      if (row === pivot) continue
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1)
      for (let j = column; j <= size; j += 1) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0)
    }
  }
  return matrix.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1))
}

const abs = (row: readonly number[], column: number) => Math.abs(row[column] ?? 0)

export function toTransform(numbers: readonly number[]): Transform {
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0, i = 1] = numbers
  return [a, b, c, d, e, f, g, h, i]
}
