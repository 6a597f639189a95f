import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { CriterionPoints } from './questions.ts'
import { ShownName } from './users.ts'

export const RegradeState = z.enum(['open', 'answered'])
export type RegradeState = z.infer<typeof RegradeState>

/** Scores are percent, as released when it was made and when answered. */
export const RegradeRequest = z.object({
  id: Id,
  submission_id: Id,
  state: RegradeState,
  reason: z.string(),
  /** Null for the whole paper. `criterion_id` in the rubric; absent in older requests. */
  criterion: z.object({ id: Id, text: z.string(), criterion_id: z.string().optional() }).nullable(),
  /** The criterion's; null for the whole paper and in older requests. */
  question: z.object({ id: z.string(), number: z.string() }).nullable(),
  asked_at: Timestamp,
  score_when_asked: z.number(),
  answer: z.string().nullable(),
  answered_at: Timestamp.nullable(),
  score_when_answered: z.number().nullable(),
  /** Of the criterion; null for the whole paper and in older requests. Null in it: there were none then. */
  points: z
    .object({ when_asked: z.number().nullable(), when_answered: z.number().nullable(), of: z.number() })
    .nullable(),
  /** By the change of points or score; null while open, or without a complete score. */
  outcome: z.enum(['granted', 'declined', 'lowered']).nullable(),
})
export type RegradeRequest = z.infer<typeof RegradeRequest>

export const MAX_REGRADE_REASON_LENGTH = 2000
export const MAX_REGRADE_ANSWER_LENGTH = 5000

export const requestRegrade = defineEndpoint('post', '/student/assignments/:assignmentId/regrade', {
  summary: 'Request a regrade of one’s released grade, once for each release',
  access: ['student'],
  status: 201,
  body: z.object({
    reason: z
      .string()
      .trim()
      .min(1, 'Enter a reason')
      .max(MAX_REGRADE_REASON_LENGTH, `Use at most ${MAX_REGRADE_REASON_LENGTH} characters`),
    criterion_id: BodyId.nullish(),
  }),
  reply: RegradeRequest,
})

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const listRegrades = defineEndpoint('get', `${submissionPath}/regrades`, {
  summary: 'The regrade requests for a submission with their answers, newest first',
  reply: z.array(RegradeRequest),
})

export const OpenRegrade = RegradeRequest.extend({ student: ShownName })
export type OpenRegrade = z.infer<typeof OpenRegrade>

export const listOpenRegrades = defineEndpoint('get', '/assignments/:assignmentId/regrades', {
  summary: 'The open regrade requests of an assignment, oldest first',
  reply: z.array(OpenRegrade),
})

export const answerRegrade = defineEndpoint('post', `${submissionPath}/regrades/:regradeId/answer`, {
  summary: 'Answer a regrade request, and change the points of its question in the same step',
  body: z.object({
    answer: z
      .string()
      .trim()
      .min(1, 'Write an answer for the student')
      .max(MAX_REGRADE_ANSWER_LENGTH, `Use at most ${MAX_REGRADE_ANSWER_LENGTH} characters`),
    /** `decided`: as the caller saw it; a conflict where that has changed. Absent criteria keep their points. */
    grant: z
      .object({ question_id: z.string().max(200), points: CriterionPoints, decided: CriterionPoints.nullable() })
      .nullish(),
  }),
  reply: RegradeRequest,
})
