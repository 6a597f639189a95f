import { type AdjustedScore, describeAdjustment, describeLatePenalty } from '@assay/shared/rules/adjust-score.ts'
import type { AssignmentScoreRules } from '@assay/shared/score-rules.ts'

type Rules = Pick<AssignmentScoreRules, 'late_penalty' | 'adjustment' | 'bonus_limit'>

export const lateRuleText = ({ late_penalty }: Rules) =>
  late_penalty ? describeLatePenalty(late_penalty) : 'No penalty'

export const adjustmentText = ({ adjustment, bonus_limit }: Rules) =>
  (adjustment ? describeAdjustment(adjustment) : 'Count as graded') +
  (bonus_limit == null ? '' : `, at most ${bonus_limit} beyond the total`)

export function causeOf({ steps }: AdjustedScore): string {
  const late = steps.some(({ kind }) => kind === 'late')
  if (!late) return 'after adjustment'
  return steps.length > 1 ? 'after adjustment and late penalty' : 'after late penalty'
}
