import { z } from 'zod'
import { Box } from './papers.ts'

/** How an answer is judged: a choice, true/false or a number exactly; short text by agreement. */
export const QuestionKind = z.enum(['text', 'choice', 'true_false', 'number'])
export type QuestionKind = z.infer<typeof QuestionKind>

/** One thing points are given for. `points` is the most it can earn. */
export const Criterion = z.object({
  /** Stable within its rubric, e.g. `q2` or `q2.b`. */
  id: z.string(),
  text: z.string(),
  points: z.number().positive(),
  /** The answer the key gives; empty when the key gives none. */
  expected: z.string(),
  /** Other answers worth the full points. */
  alternatives: z.array(z.string()),
})
export type Criterion = z.infer<typeof Criterion>

/** A question as the blank prints it. Its points are the sum of its criteria's. */
export const Question = z.object({
  /** Stable within its rubric, e.g. `q2`. */
  id: z.string(),
  /** As printed: `2`, `3 b`. */
  number: z.string(),
  prompt: z.string(),
  kind: QuestionKind,
  criteria: z.array(Criterion).min(1),
  /** Where the blank leaves room for the answer: from below the prompt to the next question. */
  regions: z.array(z.object({ page: z.number().int().positive(), box: Box })),
})
export type Question = z.infer<typeof Question>

/** What a paper is graded by. `problems` says, in a teacher's words, what could not be made out. */
export const Rubric = z.object({ questions: z.array(Question), problems: z.array(z.string()) })
export type Rubric = z.infer<typeof Rubric>
