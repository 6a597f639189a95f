import { z } from 'zod'
import { Box } from './papers.ts'

/**
 * How an answer is judged: choices, numbers, lists and formulas exactly, short text by agreement; essays, proofs and
 * drawings only by a person or an LLM.
 */
export const QuestionKind = z.enum(
  ['text', 'choice', 'true_false', 'number', 'set', 'ordered_list', 'formula', 'essay', 'drawing'],
  { error: ({ input }) => `Unknown kind of answer: “${String(input).slice(0, 30)}”` },
)
export type QuestionKind = z.infer<typeof QuestionKind>

/** A step of partial credit: what an answer must have to earn so many points. */
export const Level = z.object({ points: z.number().min(0), text: z.string() })
export type Level = z.infer<typeof Level>

/** One thing points are given for. `points` is the most it can earn. */
export const Criterion = z.object({
  /** Stable within its rubric, e.g. `q2` or `q2.b`. */
  id: z.string(),
  text: z.string(),
  points: z.number().positive(),
  /** Empty when the key gives none. */
  expected: z.string(),
  alternatives: z.array(z.string()),
  /** Highest first. Absent or empty: any share of the points may be given. */
  levels: z.array(Level).optional(),
})
export type Criterion = z.infer<typeof Criterion>

/** A place on the blank or in the key. `drawn`: by a person, who knows better than the print what is written there. */
export const AnswerRegion = z.object({
  page: z.number().int().positive(),
  box: Box,
  drawn: z.literal(true).optional(),
})
export type AnswerRegion = z.infer<typeof AnswerRegion>

/** Of a paper whose options are printed in several orders. The rubric is that of version A. */
export const paperVersions = ['A', 'B', 'C', 'D'] as const
export const PaperVersion = z.enum(paperVersions)
export type PaperVersion = z.infer<typeof PaperVersion>

/** The versions beside A, which have keys of their own. */
export const KeyedVersion = PaperVersion.exclude(['A'])
export type KeyedVersion = z.infer<typeof KeyedVersion>

/** A question as the blank prints it. Its points are the sum of its criteria's. */
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
  /** What the paper prints it is worth; absent where it prints nothing. */
  printed_points: z.number().positive().optional(),
  /** From the teacher to the grader: what to accept, what to look for. Students never see it. */
  notes: z.string().optional(),
  /** Of choice and true-or-false questions: the letter or word that is right in each other version of the paper. */
  version_keys: z.partialRecord(KeyedVersion, z.string()).optional(),
  /** Where the blank leaves room for the answer: from below the prompt to the next question. */
  regions: z.array(AnswerRegion),
  /** Where the key answers it; absent where that is not known. */
  key_regions: z.array(AnswerRegion).optional(),
})
export type Question = z.infer<typeof Question>

/**
 * `by_hand`, `answers_unsure` and `ai_remark` (what an LLM read) are information rather than problems. Those from
 * `points_guessed` on only the reader of the papers can tell, `results_doubtful` only a class's points.
 */
export const ProblemCode = z.enum([
  'no_answer',
  'number_missing',
  'number_doubled',
  'points_total',
  'question_points',
  'no_region',
  'kind_doubtful',
  'by_hand',
  'points_guessed',
  'scheme_scaled',
  'key_unmatched',
  'answer_unsure',
  'answers_unsure',
  'general',
  'ai_remark',
  'results_doubtful',
])
export type ProblemCode = z.infer<typeof ProblemCode>

export const RubricProblem = z.object({
  /** The same in every version for the same problem, so that what a teacher has dismissed stays dismissed. */
  id: z.string(),
  code: ProblemCode,
  question_id: z.string().optional(),
  message: z.string(),
  /** How many of the paper's points depend on it. */
  points: z.number().min(0),
  /** “It's fine”, a teacher said. */
  dismissed: z.literal(true).optional(),
})
export type RubricProblem = z.infer<typeof RubricProblem>

/** Points the paper prints for several questions together; `number` is that of their stem, null for the whole paper. */
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
