import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { BodyId, Timestamp } from './http/ids.ts'
import { AdjustedScore, LatePenalty, ScoreAdjustment } from './rules/adjust-score.ts'
import { LateRule, PlannedTime } from './rules/dates.ts'
import { EnteredPoints } from './rules/points.ts'
import { teachingRoles } from './users.ts'

/** Points beyond the total; null: all that bonus questions give. */
const BonusLimit = EnteredPoints.nullable().optional()

/** What makes the scores that count out of those graded. `late_penalty` applies only where late work is marked late. */
const RulePair = z.object({
  late_penalty: LatePenalty.nullable(),
  adjustment: ScoreAdjustment.nullable(),
  bonus_limit: BonusLimit,
})

/** `version` counts the changes, from 0: never changed. */
export const AssignmentScoreRules = RulePair.extend({
  version: z.number().int(),
  late_rule: LateRule,
  /** Those of bonus questions. */
  bonus_points: z.number(),
  changed: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
  /** The rules before the last change, to undo it; null if they were never changed. */
  previous: RulePair.nullable(),
  /** Released scores that have yet to follow the rules, of `total`; null once all do. */
  releasing: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
})
export type AssignmentScoreRules = z.infer<typeof AssignmentScoreRules>

/** As a teacher asks for them: `scale_to_best` becomes the factor that takes the best paper, as graded now, to 100. */
const WantedRules = z.object({
  late_penalty: LatePenalty.nullable(),
  adjustment: z
    .discriminatedUnion('kind', [...ScoreAdjustment.options, z.object({ kind: z.literal('scale_to_best') })])
    .nullable(),
  bonus_limit: BonusLimit,
})
export type WantedRules = z.infer<typeof WantedRules>

/** Numbers of papers in the ten tenths from 0 to 100; 100 counts in the last. */
const Tenths = z.array(z.number().int()).length(10)

/** Papers without a complete score are left out. Means are percent, null without papers. */
export const ScoreRulesPreview = z.object({
  adjustment: ScoreAdjustment.nullable(),
  papers: z.number().int(),
  changed: z.number().int(),
  penalized: z.number().int(),
  /** Papers that the rules take above 100 or below 0, where they stop. */
  limited: z.number().int(),
  /** Complete released scores, and how many of them would change for their students. */
  released: z.number().int(),
  released_changed: z.number().int(),
  mean_before: z.number().nullable(),
  mean_after: z.number().nullable(),
  before: Tenths,
  after: Tenths,
})
export type ScoreRulesPreview = z.infer<typeof ScoreRulesPreview>

export const getScoreRules = defineEndpoint('get', '/assignments/:assignmentId/score-rules', {
  summary: 'The late penalty and the shift or scale of an assignment’s scores, and how far released scores follow them',
  access: teachingRoles,
  reply: AssignmentScoreRules,
})

export const previewScoreRules = defineEndpoint('post', '/assignments/:assignmentId/score-rules/preview', {
  summary: 'What a late penalty, shift or scale would change; nothing is stored',
  access: teachingRoles,
  body: WantedRules,
  reply: ScoreRulesPreview,
})

const moment = PlannedTime.nullable()

const DatesToPreview = z.object({
  available_at: moment.optional(),
  due_at: moment.optional(),
  closes_at: moment.optional(),
  late_rule: LateRule.optional(),
  /** Without dates it is removed. */
  extension: z
    .object({ student_id: BodyId, dates: z.object({ due_at: PlannedTime, closes_at: moment }).nullable() })
    .optional(),
})
export type DatesToPreview = z.infer<typeof DatesToPreview>

export const previewDates = defineEndpoint('post', '/assignments/:assignmentId/score-rules/preview-dates', {
  summary:
    'What other dates, another rule for late work or an extension would change of the scores; nothing is stored. An extension is refused while names are hidden',
  access: teachingRoles,
  body: DatesToPreview,
  reply: ScoreRulesPreview,
})

export const setScoreRules = defineEndpoint('put', '/assignments/:assignmentId/score-rules', {
  summary: 'Set the late penalty and the shift or scale; released scores follow in the background',
  access: teachingRoles,
  /** `version`: of the rules that were seen; a conflict if there are newer ones. */
  body: WantedRules.extend({ version: z.number().int() }),
  reply: AssignmentScoreRules,
})

/** `adjusted` is null where the rules change nothing of the score, or it is not complete. */
export const PaperPenalty = z.object({ late_waived: z.boolean(), adjusted: AdjustedScore.nullable() })
export type PaperPenalty = z.infer<typeof PaperPenalty>

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const waiveLatePenalty = defineEndpoint('put', `${submissionPath}/late-penalty`, {
  summary: 'Waive the late penalty of one paper, or apply it again; both are audited',
  access: teachingRoles,
  body: z.object({ waived: z.boolean() }),
  reply: PaperPenalty,
})
