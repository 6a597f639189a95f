import { z } from 'zod'

// Points have two decimals, also in sums; percentages are rounded only to be shown.

/** While answers are to be graded by hand, `of` leaves theirs out. */
export const Points = z.object({ given: z.number(), of: z.number() })
export type Points = z.infer<typeof Points>

/** A half goes up although its double lies below it: 1.005 is 1.01. */
function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(Number((value * factor).toPrecision(12))) / factor
}

/** Without the binary residue of sums. */
export const roundPoints = (points: number) => roundTo(points, 2)

export const EnteredPoints = z
  .number({ error: 'Enter the points as a number' })
  .overwrite(roundPoints)
  .min(0, 'Points cannot be below 0')

export const sumPoints = (points: Iterable<number>) => roundPoints([...points].reduce((sum, one) => sum + one, 0))

/** Not rounded, for means and sorting. */
export const exactPercent = ({ given, of }: Points) => (100 * given) / of

export const roundPercent = (percent: number) => roundTo(percent, 1)

export const percentOf = (points: Points) => roundPercent(exactPercent(points))

/** For a percentage as shown; hundredths of under ten points would not do. */
export function pointsFromPercent(percent: number, of: number): Points {
  const share = (value: number) => ({ given: roundTo((value * of) / 100, of < 10 ? 3 : 2), of })
  const points = share(percent)
  return percentOf(points) === roundPercent(percent) ? points : share(roundPercent(percent))
}

/** `82.5 %` with a no-break space. */
export const formatPercent = (percent: number) => `${roundPercent(percent).toFixed(1)}\u00a0%`

/** `7.5`, `10`; a dash for none. */
export const formatPoints = (points: number | null) => (points === null ? '–' : String(roundTo(points, 3)))

export const pointsInWords = ({ given, of }: Points) =>
  `${formatPoints(given)} of ${formatPoints(of)} ${of === 1 ? 'point' : 'points'}`
