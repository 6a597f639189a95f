import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { CriterionPoints, MAX_ANSWERS_PER_DECISION, QuestionAnswer } from './questions.ts'
import { EnteredPoints } from './rules/points.ts'

// What one student was granted, for everyone.

/** An answer now accepted for full points, or words that say how to grade. */
export const AmendmentKind = z.enum(['alternative', 'clarification'])
export type AmendmentKind = z.infer<typeof AmendmentKind>

/** `applying` and `undoing` may be interrupted; a restart completes them. */
export const AmendmentState = z.enum(['applying', 'applied', 'undoing', 'undone'])
export type AmendmentState = z.infer<typeof AmendmentState>

/** Points are those of the question. */
export const LikeAnswer = z.object({
  ...QuestionAnswer.pick({ submission_id: true, student: true, excerpt: true }).shape,
  points: z.number().nullable(),
  points_then: z.number(),
  /** `grader`: the built-in one, by the changed rubric. `group`: in one group with the granted answer. */
  by: z.enum(['grader', 'group']),
  /** By criterion; null where nobody gave points. */
  decided: CriterionPoints.nullable(),
  /** Gave or approved its points: it changes only if asked for. */
  decided_by: z.string().nullable(),
  released: z.boolean(),
  /** A score for the whole paper, which points do not change: it cannot be chosen. */
  whole_score: z.boolean(),
})
export type LikeAnswer = z.infer<typeof LikeAnswer>

export const AmendmentPreview = z.object({
  rubric_version: z.number().int(),
  criterion: z.object({ id: z.string(), points: z.number() }),
  granted: z.number(),
  answers: z.array(LikeAnswer),
})
export type AmendmentPreview = z.infer<typeof AmendmentPreview>

export const RubricAmendment = z.object({
  id: Id,
  kind: AmendmentKind,
  text: z.string(),
  question: z.object({ id: z.string(), number: z.string() }),
  state: AmendmentState,
  /** `skipped`: somebody changed them meanwhile; null unless applied. */
  result: z.object({ changed: z.number().int(), skipped: z.number().int() }).nullable(),
  /** `left`: somebody changed them since; null unless undone. */
  undone: z.object({ restored: z.number().int(), left: z.number().int() }).nullable(),
  created_at: Timestamp,
})
export type RubricAmendment = z.infer<typeof RubricAmendment>

export const MAX_AMENDMENT_LENGTH = 4000
/** Scores all papers of the assignment by the changed rubric. */
const COMPARE_TIMEOUT_MS = 300_000

const AmendmentWords = z.object({
  regrade_id: BodyId,
  kind: AmendmentKind,
  text: z
    .string()
    .trim()
    .min(1, 'Enter the words')
    .max(MAX_AMENDMENT_LENGTH, `Use at most ${MAX_AMENDMENT_LENGTH} characters`),
})

export const previewAmendment = defineEndpoint('post', '/assignments/:assignmentId/amendments/preview', {
  summary: 'The answers whose points a change to a question’s rubric would change, after a granted regrade request',
  body: AmendmentWords,
  reply: AmendmentPreview,
  timeoutMs: COMPARE_TIMEOUT_MS,
})

export const applyAmendment = defineEndpoint('post', '/assignments/:assignmentId/amendments', {
  summary: 'Change a question’s rubric after a granted regrade request, and the points of the chosen answers',
  body: AmendmentWords.extend({
    /** The preview's: another rubric is a conflict. */
    rubric_version: z.number().int(),
    /** As the caller saw them: those decided otherwise since are left alone. */
    answers: z
      .array(z.object({ submission_id: BodyId, decided: CriterionPoints.nullable() }))
      .max(MAX_ANSWERS_PER_DECISION),
    /** Of the criterion, for answers chosen by group. Absent: what was granted. */
    group_points: EnteredPoints.optional(),
  }),
  reply: RubricAmendment,
  timeoutMs: COMPARE_TIMEOUT_MS,
})

export const listAmendments = defineEndpoint('get', '/assignments/:assignmentId/regrades/:regradeId/amendments', {
  summary: 'The changes to the rubric that follow from a regrade request, and the answers in one group with it',
  reply: z.object({
    amendments: z.array(RubricAmendment),
    /** Of the answer asked about; null without a question. */
    group: z.object({ answers: z.number().int(), other_points: z.number().int() }).nullable(),
  }),
})

export const undoAmendment = defineEndpoint('post', '/assignments/:assignmentId/amendments/:amendmentId/undo', {
  summary: 'Take a change to the rubric back, and the points it changed; sent again, nothing more happens',
  reply: RubricAmendment,
})

export const PointsAmended = z.object({
  kind: AmendmentKind,
  question_number: z.string(),
  points_before: z.number().nullable(),
  points_after: z.number(),
  at: Timestamp,
})
export type PointsAmended = z.infer<typeof PointsAmended>
