import { z } from 'zod'
import { BodyId, defineEndpoint, Timestamp } from './http/endpoint.ts'
import { AdjustedScore, LatePenalty, ScoreAdjustment } from './rules/adjust-score.ts'
import { LateRule, PlannedTime } from './rules/dates.ts'
import { EnteredPoints } from './rules/points.ts'

/** Points beyond the total; null: no limit. */
const BonusLimit = EnteredPoints.nullable().optional()

/** `late_penalty` applies only where late work is marked late. */
const RulePair = z.object({
  late_penalty: LatePenalty.nullable(),
  adjustment: ScoreAdjustment.nullable(),
  bonus_limit: BonusLimit,
})

/** `version` counts the changes, from 0. */
export const AssignmentScoreRules = RulePair.extend({
  version: z.number().int(),
  late_rule: LateRule,
  bonus_points: z.number(),
  changed: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
  previous: RulePair.nullable(),
  /** Released scores that have yet to follow the rules. */
  releasing: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
})
export type AssignmentScoreRules = z.infer<typeof AssignmentScoreRules>

/** `scale_to_best` becomes the factor that takes the best paper, as graded now, to 100. */
const WantedRules = z.object({
  late_penalty: LatePenalty.nullable(),
  adjustment: z
    .discriminatedUnion('kind', [...ScoreAdjustment.options, z.object({ kind: z.literal('scale_to_best') })])
    .nullable(),
  bonus_limit: BonusLimit,
})
export type WantedRules = z.infer<typeof WantedRules>

const Tenths = z.array(z.number().int()).length(10)

/** Without incomplete scores. Means are percent, null without papers. */
export const ScoreRulesPreview = z.object({
  adjustment: ScoreAdjustment.nullable(),
  papers: z.number().int(),
  changed: z.number().int(),
  penalized: z.number().int(),
  /** Stopped at 100 or 0. */
  limited: z.number().int(),
  /** Complete, and those that would change for their students. */
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
  reply: AssignmentScoreRules,
})

export const previewScoreRules = defineEndpoint('post', '/assignments/:assignmentId/score-rules/preview', {
  summary: 'What a late penalty, shift or scale would change; nothing is stored',
  body: WantedRules,
  reply: ScoreRulesPreview,
})

const moment = PlannedTime.nullable()

const DatesToPreview = z.object({
  available_at: moment.optional(),
  due_at: moment.optional(),
  closes_at: moment.optional(),
  late_rule: LateRule.optional(),
  extension: z
    .object({ student_id: BodyId, dates: z.object({ due_at: PlannedTime, closes_at: moment }).nullable() })
    .optional(),
})
export type DatesToPreview = z.infer<typeof DatesToPreview>

export const previewDates = defineEndpoint('post', '/assignments/:assignmentId/score-rules/preview-dates', {
  summary:
    'What other dates, another rule for late work or an extension would change of the scores; nothing is stored. An extension is refused while names are hidden',
  body: DatesToPreview,
  reply: ScoreRulesPreview,
})

export const setScoreRules = defineEndpoint('put', '/assignments/:assignmentId/score-rules', {
  summary: 'Set the late penalty and the shift or scale; released scores follow in the background',
  /** `version`: as seen; a newer one is a conflict. */
  body: WantedRules.extend({ version: z.number().int() }),
  reply: AssignmentScoreRules,
})

/** `adjusted`: null where the rules change nothing, or the score is incomplete. */
export const PaperPenalty = z.object({ late_waived: z.boolean(), adjusted: AdjustedScore.nullable() })
export type PaperPenalty = z.infer<typeof PaperPenalty>

export const setHandInTimes = defineEndpoint('put', '/assignments/:assignmentId/hand-in-times', {
  summary: 'Say when papers that a teacher uploaded were handed in, which late penalties follow; audited',
  body: z.object({
    submission_ids: z.array(BodyId).min(1).max(10_000),
    /** Null: unknown again. */
    at: z.union([PlannedTime, z.literal('on_time')]).nullable(),
  }),
  /** `left_out`: handed in by students, or gone. */
  reply: z.object({ changed: z.number().int(), left_out: z.number().int() }),
})

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const waiveLatePenalty = defineEndpoint('put', `${submissionPath}/late-penalty`, {
  summary: 'Waive the late penalty of one paper, or apply it again; both are audited',
  body: z.object({ waived: z.boolean() }),
  reply: PaperPenalty,
})
