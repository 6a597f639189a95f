/** All are shares of the points, 0..1. */
export interface Agreement {
  pearson: number
  spearman: number
  rmse: number
  rmseOfMean: number
  confidentHalf: number
  /** Quadratic weighted kappa on steps of a fifth. */
  kappa: number
}

const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length)

export function pearson(a: number[], b: number[]): number {
  const [ma, mb] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  for (const [i, x] of a.entries()) {
    const y = (b[i] ?? 0) - mb
    ab += (x - ma) * y
    aa += (x - ma) ** 2
    bb += y ** 2
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0
}

/** From 1; ties get their mean rank. */
function ranks(values: number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0))
  const out: number[] = []
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to] ?? 0] === values[order[from] ?? 0]) to++
    for (let k = from; k < to; k++) out[order[k] ?? 0] = (from + to + 1) / 2
    from = to
  }
  return out
}

export const rmse = (a: number[], b: number[]) => Math.sqrt(mean(a.map((x, i) => (x - (b[i] ?? 0)) ** 2)))
const STEPS = 5

/** Cohen (1968), with squared weights. */
function kappa(people: number[], ours: number[]): number {
  const step = (x: number) => Math.round(Math.min(1, Math.max(0, x)) * STEPS)
  const observed = mean(people.map((x, i) => (step(x) - step(ours[i] ?? 0)) ** 2))
  const expected = mean(people.map((x) => mean(ours.map((y) => (step(x) - step(y)) ** 2))))
  return expected > 0 ? 1 - observed / expected : 0
}

export function agreementOf(people: number[], ours: number[], confidence: number[]): Agreement {
  const surest = people.map((_, i) => i).sort((i, j) => (confidence[j] ?? 0) - (confidence[i] ?? 0) || i - j)
  const half = surest.slice(0, Math.max(1, Math.round(surest.length / 2)))
  const at = (values: number[]) => half.map((i) => values[i] ?? 0)
  const whole = rmse(people, ours)
  return {
    pearson: pearson(people, ours),
    spearman: pearson(ranks(people), ranks(ours)),
    rmse: whole,
    rmseOfMean: rmse(
      people,
      people.map(() => mean(people)),
    ),
    confidentHalf: whole > 0 ? rmse(at(people), at(ours)) / whole : 0,
    kappa: kappa(people, ours),
  }
}

/** With the half-width of the 95 % confidence interval (normal approximation; 0 for a single draw). */
export function meanOverDraws(values: number[]): { mean: number; within: number } {
  const middle = mean(values)
  if (values.length < 2) return { mean: middle, within: 0 }
  const variance = values.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (values.length - 1)
  return { mean: middle, within: 1.96 * Math.sqrt(variance / values.length) }
}
