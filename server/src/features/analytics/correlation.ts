/** Pearson's r of pairs; null where one side does not vary. */
export function correlation(pairs: [x: number, y: number][]): number | null {
  const count = pairs.length
  const meanX = pairs.reduce((sum, [x]) => sum + x, 0) / count
  const meanY = pairs.reduce((sum, [, y]) => sum + y, 0) / count
  let [xy, xx, yy] = [0, 0, 0]
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY)
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
  }
  // Shares are sums of fractions: a rounding error is not variance.
  const NOTHING = 1e-12 * count
  return xx < NOTHING || yy < NOTHING ? null : xy / Math.sqrt(xx * yy)
}
