import { type AccuracyResult, type Agreement, type Estimate, SAMPLE_SIZES } from '@assay/shared/accuracy-checks.ts'

const percent = (share: number) => Math.round(Math.abs(share) * 100)
const between = (low: number, high: number) =>
  percent(low) === percent(high) ? `about ${percent(low)} %` : `${percent(low)} to ${percent(high)} %`

/** Whether the grader gives too much or too little. */
export function biasSentence({ bias }: Agreement): string | null {
  if (!bias) return null
  if (bias.low > 0.005)
    return `The grader is too generous: on average it gives ${between(bias.low, bias.high)} of the points too much.`
  if (bias.high < -0.005)
    return `The grader is too strict: on average it gives ${between(bias.high, bias.low)} of the points too little.`
  return `The grader is neither too strict nor too generous as far as this sample tells: between ${percent(bias.low)} % of the points too little and ${percent(bias.high)} % too much on average.`
}

/** That suggestions have changed since they were first compared with the marks, and for better or worse. */
export function changeSentence(
  { all, decided }: AccuracyResult,
  earlier: NonNullable<AccuracyResult['earlier']>,
): string {
  const { changed } = earlier
  const what = `${changed} of these suggestions ${changed === 1 ? 'has' : 'have'} changed since you marked.`
  if (decided > 0)
    return `${what} The grader may have learned from ${decided === 1 ? 'one of them that has points' : `the ${decided} of them that have points`}, so it may look better here than it is. Start a new check to be sure.`
  const then = earlier.all.mean_error
  return then && all.mean_error
    ? `${what} Then the grader was off by ${percent(then.value)} % on average, now it is by ${percent(all.mean_error.value)} %.`
    : what
}

/** Landis and Koch (1977). */
export function kappaInWords(kappa: number): string {
  if (kappa > 0.8) return 'almost perfect'
  if (kappa > 0.6) return 'substantial'
  if (kappa > 0.4) return 'moderate'
  if (kappa > 0.2) return 'fair'
  return kappa >= 0 ? 'slight' : 'poor'
}

/** What to do, by the worse bound. A few marks that agree say little of the others, and have no bounds to say so. */
export function advice({ all: { kappa, mean_error }, marked }: AccuracyResult): string {
  const isEnough = marked >= SAMPLE_SIZES.least
  if (isEnough && mean_error && mean_error.high <= 0.1)
    return 'The suggestions are close to what you would give. Look at the flagged papers and approve the others.'
  if (isEnough && kappa && kappa.low > 0.4)
    return 'The suggestions rank answers much as you do, but single ones may be off. Look at the papers below before you approve the others.'
  return 'Do not rely on the suggestions yet. Decide a few answers of each question first: the grader learns from them. Then the figures here follow.'
}

/** A figure with its bounds; none where they tell nothing: all answers are marked, or all marks differ alike. */
function withBounds({ value, low, high }: Estimate, format: (number: number) => string, formatLow = format) {
  return { value: format(value), bounds: low === high ? null : `${formatLow(low)} to ${format(high)}` }
}

export const formatShare = (estimate: Estimate) =>
  withBounds(
    estimate,
    (share) => `${percent(share)} %`,
    (share) => String(percent(share)),
  )

const signed = (share: number) => `${share > 0.005 ? '+' : share < -0.005 ? '−' : ''}${percent(share)} %`
export const formatBias = (estimate: Estimate) => withBounds(estimate, signed)

const decimal = (number: number) => number.toFixed(2).replace('-', '−')
export const formatKappa = (estimate: Estimate) => withBounds(estimate, decimal)
