import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { BodyId, Id, Timestamp } from './http/ids.ts'
import { CriterionPoints, MAX_ANSWERS_PER_DECISION } from './questions.ts'
import { EnteredPoints } from './rules/points.ts'
import { ShownName, teachingRoles } from './users.ts'

// What one student was granted, for everyone: a change to the rubric, and the answers whose points it changes.

/** An answer that is accepted for the full points from now on, or words that say how to grade. */
export const AmendmentKind = z.enum(['alternative', 'clarification'])
export type AmendmentKind = z.infer<typeof AmendmentKind>

/** `applying` and `undoing` are under way, or were interrupted and are completed when the process starts again. */
export const AmendmentState = z.enum(['applying', 'applied', 'undoing', 'undone'])
export type AmendmentState = z.infer<typeof AmendmentState>

/** An answer whose points would change; points are those of the question. */
export const LikeAnswer = z.object({
  submission_id: Id,
  student: ShownName,
  /** The beginning of the answer, as read. */
  excerpt: z.string(),
  /** As they count now; null: not graded yet. */
  points: z.number().nullable(),
  points_then: z.number(),
  /** `grader`: the built-in one, by the changed rubric. `group`: it is in one group with the granted answer. */
  by: z.enum(['grader', 'group']),
  /** What people gave, by criterion; null where nobody has given points. */
  decided: CriterionPoints.nullable(),
  /** A person gave its points, or approved them. It changes only where the caller asks for it. */
  decided_by: z.string().nullable(),
  /** Its student sees its points. */
  released: z.boolean(),
  /** Its paper has a score for the whole paper, which points do not change. It cannot be chosen. */
  whole_score: z.boolean(),
})
export type LikeAnswer = z.infer<typeof LikeAnswer>

/** What a change to the rubric would do; nothing is changed yet. */
export const AmendmentPreview = z.object({
  /** The rubric it was computed for. */
  rubric_version: z.number().int(),
  criterion: z.object({ id: z.string(), points: z.number() }),
  granted: z.number(),
  /** By points gained, the most first. */
  answers: z.array(LikeAnswer),
})
export type AmendmentPreview = z.infer<typeof AmendmentPreview>

export const RubricAmendment = z.object({
  id: Id,
  kind: AmendmentKind,
  text: z.string(),
  question: z.object({ id: z.string(), number: z.string() }),
  state: AmendmentState,
  /** Answers that changed, and those left alone since somebody changed them meanwhile; null unless applied. */
  result: z.object({ changed: z.number().int(), skipped: z.number().int() }).nullable(),
  /** Answers that have their earlier points again, and those somebody changed since; null unless undone. */
  undone: z.object({ restored: z.number().int(), left: z.number().int() }).nullable(),
  created_at: Timestamp,
})
export type RubricAmendment = z.infer<typeof RubricAmendment>

export const MAX_AMENDMENT_LENGTH = 4000
/** All papers of the assignment are scored by the changed rubric before it answers. */
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
  access: teachingRoles,
  body: AmendmentWords,
  reply: AmendmentPreview,
  timeoutMs: COMPARE_TIMEOUT_MS,
})

export const applyAmendment = defineEndpoint('post', '/assignments/:assignmentId/amendments', {
  summary: 'Change a question’s rubric after a granted regrade request, and the points of the chosen answers',
  access: teachingRoles,
  body: AmendmentWords.extend({
    /** The version of the preview: where the rubric is another by now, nothing changes. */
    rubric_version: z.number().int(),
    /** With the points their caller saw: where somebody has decided otherwise since, they are left alone. */
    answers: z
      .array(z.object({ submission_id: BodyId, decided: CriterionPoints.nullable() }))
      .max(MAX_ANSWERS_PER_DECISION),
    /** For answers that only the group speaks for: points of the criterion. Absent: what was granted. */
    group_points: EnteredPoints.optional(),
  }),
  reply: RubricAmendment,
  timeoutMs: COMPARE_TIMEOUT_MS,
})

export const listAmendments = defineEndpoint('get', '/assignments/:assignmentId/regrades/:regradeId/amendments', {
  summary: 'The changes to the rubric that follow from a regrade request, and the answers in one group with it',
  access: teachingRoles,
  reply: z.object({
    /** Latest first. */
    amendments: z.array(RubricAmendment),
    /** Other answers in the group of the one asked about, and how many have other points; null without a question. */
    group: z.object({ answers: z.number().int(), other_points: z.number().int() }).nullable(),
  }),
})

export const undoAmendment = defineEndpoint('post', '/assignments/:assignmentId/amendments/:amendmentId/undo', {
  summary: 'Take a change to the rubric back, and the points it changed; sent again, nothing more happens',
  access: teachingRoles,
  reply: RubricAmendment,
})

/** To a student whose points changed because of another’s request. */
export const PointsAmended = z.object({
  kind: AmendmentKind,
  question_number: z.string(),
  points_before: z.number().nullable(),
  points_after: z.number(),
  at: Timestamp,
})
export type PointsAmended = z.infer<typeof PointsAmended>
