export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** 0 of none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

/** The upper of two in the middle; 0 of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
