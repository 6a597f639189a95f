export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
export const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
export const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)

/** The upper of two in the middle; 0 of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Pearson's r; null where one side does not vary. */
export function correlation(pairs: readonly [x: number, y: number][]): number | null {
  const count = pairs.length
  const meanX = mean(pairs.map(([x]) => x))
  const meanY = mean(pairs.map(([, y]) => y))
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

export function countEach<T>(all: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** Which tenth of 0 to 100 a percentage falls in, from 0; 100 belongs to the last. */
export const tenthOf = (percent: number): number => clamp(Math.floor(percent / 10), 0, 9)

export function countTenths(percents: readonly number[]): number[] {
  const tenths = percents.map(tenthOf)
  return Array.from({ length: 10 }, (_, tenth) => tenths.filter((one) => one === tenth).length)
}
