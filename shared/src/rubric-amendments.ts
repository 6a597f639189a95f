import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { BodyId, Id, Timestamp } from './http/ids.ts'
import { MAX_ANSWERS_PER_DECISION } from './questions.ts'
import { ShownName } from './shown-names.ts'
import { teachingRoles } from './users.ts'

// What one student was granted, for everyone: a change to the question's rubric, and the like answers whose points would change by it.

/** An answer that is accepted for the full points from now on, or words that say how to grade. */
export const AmendmentKind = z.enum(['alternative', 'clarification'])
export type AmendmentKind = z.infer<typeof AmendmentKind>

/** `computing`, `applying` and `undoing` are jobs under way. Nothing is changed before `applying`. */
export const AmendmentState = z.enum([
  'computing',
  'ready',
  'applying',
  'applied',
  'undoing',
  'undone',
  'stopped',
  'failed',
])
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
  /** Who says so: the built-in grader by the changed rubric, or nobody, but it is in one group with the answer that was granted. */
  by: z.enum(['grader', 'group']),
  /** A person gave its points, or approved them. It changes only where the caller asks for it. */
  decided_by: z.string().nullable(),
  /** Its student sees its points. */
  released: z.boolean(),
  /** Its paper has a score for the whole paper, which points do not change. It cannot be chosen. */
  whole_score: z.boolean(),
})
export type LikeAnswer = z.infer<typeof LikeAnswer>

/** Without its answers, for lists. */
export const AmendmentSummary = z.object({
  id: Id,
  regrade_id: Id,
  submission_id: Id,
  kind: AmendmentKind,
  text: z.string(),
  question: z.object({ id: z.string(), number: z.string(), points: z.number() }),
  criterion: z.object({ id: z.string(), text: z.string(), points: z.number() }),
  /** What the criterion was granted. */
  granted: z.number(),
  state: AmendmentState,
  /** In papers. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }),
  /** Why it failed, or why it could not be undone, to the teacher; null unless it did. */
  failure: z.string().nullable(),
  /** How many answers changed, and how many were left alone since somebody changed them meanwhile; null before it is applied. */
  result: z.object({ changed: z.number().int(), skipped: z.number().int() }).nullable(),
  /**
   * Of what it changed, how many answers have their earlier points again, and how many were left alone since somebody changed them; null
   * unless it is undone.
   */
  undone: z.object({ restored: z.number().int(), left: z.number().int() }).nullable(),
  created_at: Timestamp,
})
export type AmendmentSummary = z.infer<typeof AmendmentSummary>

export const RubricAmendment = AmendmentSummary.extend({
  /** To choose from once it is `ready`, by points gained, the most first. */
  answers: z.array(LikeAnswer),
})
export type RubricAmendment = z.infer<typeof RubricAmendment>

const ofAssignment = z.object({ assignmentId: Id })
const ofAmendment = ofAssignment.extend({ amendmentId: Id })

export const MAX_AMENDMENT_LENGTH = 4000

export const createAmendment = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/amendments',
  summary:
    'Preview a change to a question’s rubric that follows from a granted regrade request; nothing is changed yet',
  access: teachingRoles,
  status: 202,
  params: ofAssignment,
  body: z.object({
    regrade_id: BodyId,
    kind: AmendmentKind,
    text: z
      .string()
      .trim()
      .min(1, 'Enter the words')
      .max(MAX_AMENDMENT_LENGTH, `Use at most ${MAX_AMENDMENT_LENGTH} characters`),
  }),
  reply: RubricAmendment,
})

export const listAmendments = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/regrades/:regradeId/amendments',
  summary: 'The changes to the rubric that follow from a regrade request, and the answers in one group with it',
  access: teachingRoles,
  params: ofAssignment.extend({ regradeId: Id }),
  reply: z.object({
    /** Latest first, without those discarded. */
    amendments: z.array(AmendmentSummary),
    /** Other answers in one group with the one asked about, and how many of them have other points; null without a question. */
    group: z.object({ answers: z.number().int(), other_points: z.number().int() }).nullable(),
  }),
})

export const getAmendment = defineEndpoint({
  method: 'get',
  path: '/assignments/:assignmentId/amendments/:amendmentId',
  summary: 'A change to a rubric with the answers whose points would change',
  access: teachingRoles,
  params: ofAmendment,
  reply: RubricAmendment,
})

export const stopAmendment = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/amendments/:amendmentId/stop',
  summary: 'Discard a change to a rubric that is not applied yet',
  access: teachingRoles,
  params: ofAmendment,
  reply: RubricAmendment,
})

export const applyAmendment = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/amendments/:amendmentId/apply',
  summary: 'Change the rubric, and the points of the chosen answers',
  access: teachingRoles,
  status: 202,
  params: ofAmendment,
  body: z.object({
    /** Of the listed answers. */
    submission_ids: z.array(BodyId).max(MAX_ANSWERS_PER_DECISION),
    /**
     * As the caller’s own decisions, or as suggestions to be reviewed. Answers that a person has decided, and those that only the group
     * speaks for, become decisions either way.
     */
    as: z.enum(['decisions', 'suggestions']),
    /** For answers that only the group speaks for: points of the criterion. Absent: what was granted. */
    group_points: z.number().min(0, 'Points cannot be below 0').optional(),
  }),
  reply: RubricAmendment,
})

export const undoAmendment = defineEndpoint({
  method: 'post',
  path: '/assignments/:assignmentId/amendments/:amendmentId/undo',
  summary: 'Take a change to the rubric back, and the points it changed; sent again, nothing more happens',
  access: teachingRoles,
  status: 202,
  params: ofAmendment,
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
