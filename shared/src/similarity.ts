import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { ShownName } from './users.ts'

// A hint for the teacher, never a verdict.

/** Characters from the first, up to and without the second. */
const Range = z.tuple([z.number().int(), z.number().int()])

export const SimilarAnswers = z.object({
  question_id: z.string(),
  number: z.string(),
  /** `same_wrong_answer`: to a right-or-wrong question, and given by few others. */
  kind: z.enum(['words', 'same_wrong_answer']),
  first: z.string(),
  second: z.string(),
  /** Words in a row, longest first, without overlap. */
  passages: z.array(z.object({ words: z.number().int(), first: Range, second: Range })),
})
export type SimilarAnswers = z.infer<typeof SimilarAnswers>

const Paper = z.object({ submission_id: Id, student: ShownName })

export const SimilarPair = z.object({
  id: z.string(),
  first: Paper,
  second: Paper,
  answers: z.array(SimilarAnswers),
  dismissed: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
})
export type SimilarPair = z.infer<typeof SimilarPair>

export const SimilarityReport = z.object({
  enabled: z.boolean(),
  /** `off` while it is not enabled. */
  state: z.enum(['off', 'comparing', 'done', 'failed']),
  /** Null: never. */
  compared: z.object({ at: Timestamp, papers: z.number().int() }).nullable(),
  pairs: z.array(SimilarPair),
})
export type SimilarityReport = z.infer<typeof SimilarityReport>

export const getSimilarity = defineEndpoint('get', '/assignments/:assignmentId/similarity', {
  summary: 'Pairs of papers whose own words are unusually alike',
  reply: SimilarityReport,
})

export const setSimilarity = defineEndpoint('put', '/assignments/:assignmentId/similarity', {
  summary: 'Look for unusually similar answers, or stop; it is off at first. Sent again, the papers are compared anew',
  body: z.object({ enabled: z.boolean() }),
  reply: SimilarityReport,
})

export const dismissSimilarPairs = defineEndpoint('put', '/assignments/:assignmentId/similarity/dismissed', {
  summary: 'Dismiss pairs of papers, or take that back',
  body: z.object({
    pair_ids: z
      .array(z.string().regex(/^\d+-\d+$/))
      .min(1)
      .max(500),
    dismissed: z.boolean(),
  }),
  reply: SimilarityReport,
})
