import type { AssignmentScoreRules, WantedRules } from '@assay/shared/score-rules.ts'

export interface AdjustScoresValues {
  late: boolean
  per_day: string
  most: string
  grace: string
  kind: 'none' | 'shift' | 'scale' | 'scale_to_best'
  points: string
  factor: string
}

/** The fields' names in the contract. */
export const fieldNames: Record<string, keyof AdjustScoresValues> = {
  late_penalty: 'late',
  'late_penalty.percent_per_day': 'per_day',
  'late_penalty.max_percent': 'most',
  'late_penalty.grace_minutes': 'grace',
  adjustment: 'kind',
  'adjustment.points_percent': 'points',
  'adjustment.factor': 'factor',
}

const written = (value: number) => String(Number(value.toFixed(4)))

export function valuesOf({ late_penalty, adjustment }: AssignmentScoreRules): AdjustScoresValues {
  return {
    late: late_penalty !== null,
    per_day: String(late_penalty?.percent_per_day ?? 10),
    most: String(late_penalty?.max_percent ?? 50),
    grace: String(late_penalty?.grace_minutes ?? 0),
    kind: adjustment?.kind ?? 'none',
    points: adjustment?.kind === 'shift' ? String(adjustment.points_percent) : '',
    factor: adjustment?.kind === 'scale' ? written(adjustment.factor) : '',
  }
}

/** What is no number is none to the contract either, which says what to enter. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.').replace('−', '-')))

export function wantedRules(values: AdjustScoresValues, saved: AssignmentScoreRules): WantedRules {
  return {
    late_penalty: values.late
      ? {
          percent_per_day: numberOf(values.per_day),
          max_percent: numberOf(values.most),
          grace_minutes: numberOf(values.grace),
        }
      : null,
    adjustment: wantedAdjustment(values, saved),
  }
}

function wantedAdjustment(
  { kind, points, factor }: AdjustScoresValues,
  { adjustment }: AssignmentScoreRules,
): WantedRules['adjustment'] {
  if (kind === 'none') return null
  if (kind === 'scale_to_best') return { kind }
  if (kind === 'shift') return { kind, points_percent: numberOf(points) }
  // The field shows a rounded factor: left as it is, the exact one stays.
  if (adjustment?.kind === 'scale' && written(adjustment.factor) === factor) return adjustment
  return { kind, factor: numberOf(factor) }
}
