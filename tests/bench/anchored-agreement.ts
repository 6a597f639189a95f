import { evaluateRows } from '../../server/src/grader/offline/evaluate-rows.ts'
import { DEFAULT_SIGNAL_SETTINGS, type SignalSettings } from '../../server/src/grader/text/signal-settings.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { type Agreement, agreementOf, meanOverDraws } from './agreement.ts'
import { drawRows } from './marked-answers.ts'
import type { ScoredSet } from './scored-rows.ts'

const DRAWS = 6

/** `anchors` answers per question are graded by a teacher, drawn by seed and excluded from the result. */
export function agreementWithAnchors(
  { rows }: ScoredSet,
  anchors: number,
): Record<keyof Agreement, { mean: number; within: number }> {
  const draws = Array.from({ length: anchors === 0 ? 1 : DRAWS }, (_, draw) => {
    const known = drawRows(rows, anchors, seededRandom(1000 * anchors + draw))
    const judged = evaluateRows(rows.map((row) => (known.has(row) ? { ...row, teacher_share: row.share } : row)))
    const rest = rows.flatMap((row, i) => {
      const ours = judged[i]
      return known.has(row) || !ours ? [] : [{ row, ours }]
    })
    return agreementOf(
      rest.map(({ row }) => row.share),
      rest.map(({ ours }) => ours.score),
      rest.map(({ ours }) => ours.confidence),
    )
  })
  const over = (name: keyof Agreement) => meanOverDraws(draws.map((draw) => draw[name]))
  return {
    pearson: over('pearson'),
    spearman: over('spearman'),
    rmse: over('rmse'),
    rmseOfMean: over('rmseOfMean'),
    confidentHalf: over('confidentHalf'),
    kappa: over('kappa'),
  }
}

export const SETTING_VARIANTS: { what: string; settings: SignalSettings }[] = [
  { what: 'as they are', settings: DEFAULT_SIGNAL_SETTINGS },
  ...(
    [
      ['questionTermFactor', [0.1, 0.3]],
      ['topShare', [0.4, 0.6]],
      ['minTopUse', [0.08, 0.16]],
      ['negationPenalty', [0.1, 0.3]],
      ['centralityWeight', [0, 0.5]],
      ['lengthWeight', [0, 0.05]],
      ['synonymScore', [0.5, 0.9]],
    ] as const
  ).flatMap(([name, values]) =>
    values.map((value) => ({ what: `${name} ${value}`, settings: { ...DEFAULT_SIGNAL_SETTINGS, [name]: value } })),
  ),
]

/** `[variant][set]`. */
export function evaluateVariants(sets: ScoredSet[]): Agreement[][] {
  return SETTING_VARIANTS.map(({ settings }) =>
    sets.map(({ rows }) => {
      const judged = evaluateRows(rows, settings)
      return agreementOf(
        rows.map((row) => row.share),
        judged.map(({ score }) => score),
        judged.map(({ confidence }) => confidence),
      )
    }),
  )
}

/** For each set: the variant that is best on the others, and its result on this one. */
export function leaveOneOut(
  tried: Agreement[][],
  sets: number,
  figure: (agreement: Agreement) => number,
): { choice: number; agreement: Agreement | undefined }[] {
  return Array.from({ length: sets }, (_, left) => {
    const onOthers = tried.map((row) =>
      row.reduce((sum, agreement, i) => (i === left ? sum : sum + figure(agreement)), 0),
    )
    const choice = onOthers.indexOf(Math.max(...onOthers))
    return { choice, agreement: tried[choice]?.[left] }
  })
}
