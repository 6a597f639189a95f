import { z } from 'zod'
import { Box } from './papers.ts'

/** Judged exactly, `text` by agreement, `essay` (proofs too) and `drawing` only by a person or an LLM. */
export const QuestionKind = z.enum(
  ['text', 'choice', 'true_false', 'number', 'set', 'ordered_list', 'formula', 'essay', 'drawing'],
  { error: ({ input }) => `Unknown kind of answer: “${String(input).slice(0, 30)}”` },
)
export type QuestionKind = z.infer<typeof QuestionKind>

export const Level = z.object({ points: z.number().min(0), text: z.string() })
export type Level = z.infer<typeof Level>

/** `points` is the most it can earn. */
export const Criterion = z.object({
  /** Stable within its rubric, e.g. `q2` or `q2.b`. */
  id: z.string(),
  text: z.string(),
  points: z.number().positive(),
  /** Empty when the key gives none. */
  expected: z.string(),
  alternatives: z.array(z.string()),
  /** Highest first. Absent or empty: any share of the points. */
  levels: z.array(Level).optional(),
})
export type Criterion = z.infer<typeof Criterion>

/** `drawn`: by a person, who knows better than the print. */
export const AnswerRegion = z.object({ page: z.number().int().positive(), box: Box, drawn: z.literal(true).optional() })
export type AnswerRegion = z.infer<typeof AnswerRegion>

/** Orders of printed options. The rubric is version A's. */
export const paperVersions = ['A', 'B', 'C', 'D'] as const
export const PaperVersion = z.enum(paperVersions)
export type PaperVersion = z.infer<typeof PaperVersion>

export const KeyedVersion = PaperVersion.exclude(['A'])
export type KeyedVersion = z.infer<typeof KeyedVersion>

/** Its points are the sum of its criteria's. */
export const Question = z.object({
  /** Stable within its rubric, e.g. `q2`. */
  id: z.string(),
  /** As printed: `2`, `3 b`. */
  number: z.string(),
  prompt: z.string(),
  kind: QuestionKind,
  /** Its points come on top of the total. */
  bonus: z.literal(true).optional(),
  criteria: z.array(Criterion).min(1),
  printed_points: z.number().positive().optional(),
  /** What to accept, what to look for. Students never see it. */
  notes: z.string().optional(),
  /** The right letter or word by version, for choice and true-or-false questions. */
  version_keys: z.partialRecord(KeyedVersion, z.string()).optional(),
  /** On the blank, from below the prompt to the next question. */
  regions: z.array(AnswerRegion),
  key_regions: z.array(AnswerRegion).optional(),
})
export type Question = z.infer<typeof Question>

/** The most important first; rules/rubric-problems.ts says which are information, or unseen in the rubric itself. */
export const ProblemCode = z.enum([
  'results_doubtful',
  'general',
  'number_missing',
  'number_doubled',
  'points_total',
  'question_points',
  'points_guessed',
  'scheme_scaled',
  'no_answer',
  'key_unmatched',
  'answer_unsure',
  'kind_doubtful',
  'no_region',
  'answers_unsure',
  'by_hand',
  'ai_remark',
])
export type ProblemCode = z.infer<typeof ProblemCode>

export const RubricProblem = z.object({
  /** The same in every version, so that a dismissed problem stays dismissed. */
  id: z.string(),
  code: ProblemCode,
  question_id: z.string().optional(),
  message: z.string(),
  points: z.number().min(0),
  dismissed: z.literal(true).optional(),
})
export type RubricProblem = z.infer<typeof RubricProblem>

/** `number` is the stem's, null for the whole paper. */
export const PrintedTotal = z.object({
  number: z.string().nullable(),
  points: z.number().positive(),
  question_ids: z.array(z.string()),
})
export type PrintedTotal = z.infer<typeof PrintedTotal>

export const Rubric = z.object({
  questions: z.array(Question),
  problems: z.array(RubricProblem),
  printed_totals: z.array(PrintedTotal).optional(),
})
export type Rubric = z.infer<typeof Rubric>
