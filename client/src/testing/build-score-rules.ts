import type { AssignmentScoreRules, ScoreRulesPreview } from '@assay/shared/score-rules.ts'

export const buildScoreRules = (part: Partial<AssignmentScoreRules> = {}): AssignmentScoreRules => ({
  version: 0,
  late_penalty: null,
  adjustment: null,
  late_rule: 'mark_late',
  bonus_points: 0,
  changed: null,
  previous: null,
  releasing: null,
  ...part,
})

export const buildScoreRulesPreview = (part: Partial<ScoreRulesPreview> = {}): ScoreRulesPreview => ({
  adjustment: null,
  papers: 28,
  changed: 3,
  penalized: 3,
  limited: 0,
  released: 0,
  released_changed: 0,
  mean_before: 72,
  mean_after: 70.5,
  before: [0, 0, 1, 2, 3, 4, 6, 6, 4, 2],
  after: [0, 0, 1, 3, 3, 4, 6, 5, 4, 2],
  ...part,
})
