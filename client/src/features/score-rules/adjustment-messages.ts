import { type AdjustedScore, describeAdjustment, describeLatePenalty } from '@assay/shared/rules/adjust-score.ts'
import type { AssignmentScoreRules } from '@assay/shared/score-rules.ts'

type Rules = Pick<AssignmentScoreRules, 'late_penalty' | 'adjustment'>

export const lateRuleText = ({ late_penalty }: Rules) =>
  late_penalty ? describeLatePenalty(late_penalty) : 'No penalty'

export const adjustmentText = ({ adjustment }: Rules) =>
  adjustment ? describeAdjustment(adjustment) : 'Count as graded'

/** “after late penalty”, where there is only one line. */
export function causeOf({ steps }: AdjustedScore): string {
  const late = steps.some(({ kind }) => kind === 'late')
  if (!late) return 'after adjustment'
  return steps.length > 1 ? 'after adjustment and late penalty' : 'after late penalty'
}
