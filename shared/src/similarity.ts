import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { ShownName, teachingRoles } from './users.ts'

// Papers of one assignment whose own words are unusually alike: a hint for the teacher, never a verdict.

/** A range of characters: from the first, up to and without the second. */
const Range = z.tuple([z.number().int(), z.number().int()])

export const SimilarAnswers = z.object({
  question_id: z.string(),
  number: z.string(),
  /** `same_wrong_answer`: to a right-or-wrong question, both gave the same wrong answer, which few others did. */
  kind: z.enum(['words', 'same_wrong_answer']),
  first: z.string(),
  second: z.string(),
  /** Words in a row that both have, longest first; none overlaps another. */
  passages: z.array(z.object({ words: z.number().int(), first: Range, second: Range })),
})
export type SimilarAnswers = z.infer<typeof SimilarAnswers>

const Paper = z.object({ submission_id: Id, student: ShownName })

export const SimilarPair = z.object({
  id: z.string(),
  first: Paper,
  second: Paper,
  /** The question that tells most first. */
  answers: z.array(SimilarAnswers),
  /** A teacher has dismissed it: it is no concern. */
  dismissed: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
})
export type SimilarPair = z.infer<typeof SimilarPair>

export const SimilarityReport = z.object({
  enabled: z.boolean(),
  /** `off` while it is not enabled. */
  state: z.enum(['off', 'comparing', 'done', 'failed']),
  /** When the papers were compared last, and how many. Null: never. */
  compared: z.object({ at: Timestamp, papers: z.number().int() }).nullable(),
  /** The most unusual first. */
  pairs: z.array(SimilarPair),
})
export type SimilarityReport = z.infer<typeof SimilarityReport>

export const getSimilarity = defineEndpoint('get', '/assignments/:assignmentId/similarity', {
  summary: 'Pairs of papers whose own words are unusually alike',
  access: teachingRoles,
  reply: SimilarityReport,
})

export const setSimilarity = defineEndpoint('put', '/assignments/:assignmentId/similarity', {
  summary: 'Look for unusually similar answers, or stop; it is off at first. Sent again, the papers are compared anew',
  access: teachingRoles,
  body: z.object({ enabled: z.boolean() }),
  reply: SimilarityReport,
})

export const dismissSimilarPairs = defineEndpoint('put', '/assignments/:assignmentId/similarity/dismissed', {
  summary: 'Dismiss pairs of papers, or take that back',
  access: teachingRoles,
  body: z.object({
    pair_ids: z
      .array(z.string().regex(/^\d+-\d+$/))
      .min(1)
      .max(500),
    dismissed: z.boolean(),
  }),
  reply: SimilarityReport,
})
