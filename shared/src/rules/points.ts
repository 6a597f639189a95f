import { z } from 'zod'

// Points are decimals with two digits, and stay so in every sum. A percentage is rounded here alone, to be shown.

/** Points given `of` those that count: while answers are to be graded by hand, theirs are left out. */
export const Points = z.object({ given: z.number(), of: z.number() })
export type Points = z.infer<typeof Points>

/** A half goes up although its double lies below it: 1.005 is 1.01. */
function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(Number((value * factor).toPrecision(12))) / factor
}

/** To hundredths, without binary residue: sums of tenths and thirds have some. */
export const roundPoints = (points: number) => roundTo(points, 2)

/** As a person types or sends them. */
export const EnteredPoints = z
  .number({ error: 'Enter the points as a number' })
  .overwrite(roundPoints)
  .min(0, 'Points cannot be below 0')

export const sumPoints = (points: Iterable<number>) => roundPoints([...points].reduce((sum, one) => sum + one, 0))

/** Not rounded: for means and for sorting. */
export const exactPercent = ({ given, of }: Points) => (100 * given) / of

export const roundPercent = (percent: number) => roundTo(percent, 1)

/** As it is shown, with one decimal. */
export const percentOf = (points: Points) => roundPercent(exactPercent(points))

/** The points that make a percentage as it is shown. Hundredths of fewer than ten points would not. */
export function pointsFromPercent(percent: number, of: number): Points {
  const share = (value: number) => ({ given: roundTo((value * of) / 100, of < 10 ? 3 : 2), of })
  const points = share(percent)
  return percentOf(points) === roundPercent(percent) ? points : share(roundPercent(percent))
}

/** `82.5 %`; the space does not break. */
export const formatPercent = (percent: number) => `${roundPercent(percent).toFixed(1)}\u00a0%`

/** Without a tail of zeros: `7.5`, `10`; a dash for none. */
export const formatPoints = (points: number | null) => (points === null ? '–' : String(roundTo(points, 3)))

/** `38 of 50 points`. */
export const pointsInWords = ({ given, of }: Points) =>
  `${formatPoints(given)} of ${formatPoints(of)} ${of === 1 ? 'point' : 'points'}`
