import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { AnswerDetails, CriterionPoints } from './questions.ts'
import { Question } from './rubrics.ts'
import { ShownName } from './users.ts'

export const SAMPLE_SIZES = { least: 8, usual: 20, most: 100 } as const
/** Points of 100 that a total may be off before its paper is listed. */
export const REVIEW_LIMITS = { least: 2, usual: 10, most: 50, offered: [5, 10, 15, 20, 25, 30, 40] } as const

/** With its 90 % bootstrap interval, which is `value` where all answers are marked. */
export const Estimate = z.object({ value: z.number(), low: z.number(), high: z.number() })
export type Estimate = z.infer<typeof Estimate>

/** Null where everybody has the same points. Errors are shares of an answer's points, 0..1. */
export const Agreement = z.object({
  /** Quadratic weighted kappa: 1 as one and the same person, 0 as by chance. */
  kappa: Estimate.nullable(),
  /** The share of suggestions at most a point off, half a point where there is only one. */
  within_one_level: Estimate.nullable(),
  mean_error: Estimate.nullable(),
  /** Above 0: too generous. */
  bias: Estimate.nullable(),
})
export type Agreement = z.infer<typeof Agreement>

export const AccuracyResult = z.object({
  /** Answers with a suggestion, marked here or undecided. */
  answers: z.number().int(),
  marked: z.number().int(),
  /** Marks without a suggestion now, or for a question that has changed. */
  left_out: z.number().int(),
  all: Agreement,
  /** With at least three marked answers. */
  questions: z.array(
    z.object({ question_id: z.string(), number: z.string(), marked: z.number().int(), agreement: Agreement }),
  ),
  /** When the last answer was marked; `changed` suggestions have changed or gone since. */
  earlier: z.object({ all: Agreement, changed: z.number().int() }).nullable(),
  /** Marked answers the grader learns from, so it does better on them. */
  decided: z.number().int(),
  /** The mark beside today's suggestion, in points. */
  pairs: z.array(
    z.object({
      position: z.number().int(),
      number: z.string(),
      of: z.number(),
      marked: z.number(),
      suggested: z.number(),
    }),
  ),
})
export type AccuracyResult = z.infer<typeof AccuracyResult>

/** `position` counts from 1. */
export const AccuracyCheck = z.object({
  id: Id,
  started_at: Timestamp,
  started_by: z.string(),
  answers: z.array(z.object({ position: z.number().int(), state: z.enum(['open', 'marked', 'skipped']) })),
  finished_at: Timestamp.nullable(),
  result: AccuracyResult.nullable(),
})
export type AccuracyCheck = z.infer<typeof AccuracyCheck>

/** With nothing of what the grader, or anybody else, thinks of it. */
export const BlindAnswer = AnswerDetails.pick({ submission_id: true, state: true, text: true, pictures: true }).extend({
  position: z.number().int(),
  question: Question.pick({ id: true, number: true, prompt: true, kind: true, criteria: true }).extend({
    points: z.number(),
    notes: z.string().nullable(),
  }),
  points: CriterionPoints.nullable(),
  skipped: z.boolean(),
})
export type BlindAnswer = z.infer<typeof BlindAnswer>

/** Totals that may be off by more than `limit` of 100 points, most doubtful first, approved ones left out. */
export const ReviewList = z.object({
  limit: z.number(),
  papers: z.array(z.object({ submission_id: Id, student: ShownName })),
  others: z.number().int(),
  flagged: z.number().int(),
  flags_to_change: z.number().int(),
})
export type ReviewList = z.infer<typeof ReviewList>

export const getAccuracyCheck = defineEndpoint('get', '/assignments/:assignmentId/accuracy-check', {
  summary: 'The latest check of the grader by a sample of answers, with its result once all are marked',
  /** `available`: answers with a suggestion and without a person's full points, to draw from. */
  reply: z.object({ check: AccuracyCheck.nullable(), available: z.number().int(), decided: z.number().int() }),
})

export const startAccuracyCheck = defineEndpoint('post', '/assignments/:assignmentId/accuracy-check', {
  summary:
    'Draw a sample of undecided answers to mark without seeing the suggestions; it takes the place of an earlier one',
  body: z.object({ answers: z.number().int().min(SAMPLE_SIZES.least).max(SAMPLE_SIZES.most) }),
  reply: AccuracyCheck,
})

export const getBlindAnswer = defineEndpoint('get', '/assignments/:assignmentId/accuracy-check/answers/:position', {
  summary: 'An answer of the sample, without its suggestion',
  reply: BlindAnswer,
})

export const markBlindAnswer = defineEndpoint('put', '/assignments/:assignmentId/accuracy-check/answers/:position', {
  summary: 'Mark an answer of the sample, or skip it with null',
  body: z.object({ check_id: Id, points: CriterionPoints.nullable() }),
  reply: AccuracyCheck,
})

export const applyBlindMarks = defineEndpoint('post', '/assignments/:assignmentId/accuracy-check/decisions', {
  summary: 'Give the marked answers the points they got in the check; what people have decided stays',
  body: z.object({ check_id: Id }),
  reply: z.object({ decided: z.number().int(), left_alone: z.number().int() }),
})

const ReviewLimit = z.coerce.number().min(REVIEW_LIMITS.least).max(REVIEW_LIMITS.most)

export const getReviewList = defineEndpoint('get', '/assignments/:assignmentId/accuracy-check/review-list', {
  summary: 'The papers to look at, as the finished check tells',
  /** Default: the limit last used for flags, else the usual one. */
  query: z.object({ limit: ReviewLimit.optional() }),
  reply: ReviewList,
})

export const flagReviewList = defineEndpoint('put', '/assignments/:assignmentId/accuracy-check/review-list', {
  summary: 'Flag just the papers to look at for review, or with null take all flags of accuracy checks back',
  body: z.object({ check_id: Id, limit: ReviewLimit.nullable() }),
  reply: z.object({ papers: z.number().int() }),
})

export const AccuracyRecord = z.object({
  format: z.literal('assay-accuracy-check/1'),
  assignment_id: Id,
  exported_at: Timestamp,
  check: AccuracyCheck,
  marks: z.array(
    z.object({
      position: z.number().int(),
      submission_id: Id,
      student: ShownName.nullable(),
      question_id: z.string(),
      points: CriterionPoints.nullable(),
      skipped: z.boolean(),
    }),
  ),
})

export const exportAccuracyCheck = defineEndpoint('get', '/assignments/:assignmentId/export/accuracy-check.json', {
  summary: 'The latest check of the grader with every mark and its figures, for the records',
  reply: AccuracyRecord,
})
