import { z } from 'zod'
import { AuditEntry } from './admin.ts'
import { CriterionGrade } from './grades.ts'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { CriterionPoints } from './questions.ts'
import { AdjustedScore } from './rules/adjust-score.ts'
import { Points } from './rules/points.ts'
import { ShownName } from './users.ts'

/** SHA-256, hexadecimal. */
const Hash = z.string()

export const LlmCallEntry = z.object({
  id: Id,
  at: Timestamp,
  run_id: z.number().nullable(),
  run_stopped: z.boolean(),
  purpose: z.string(),
  provider: z.string(),
  model: z.string(),
  prompt_version: z.string(),
  /** To check the prompt with the same paper, rubric and prompt version. */
  inputs: z.array(z.object({ kind: z.enum(['system', 'text', 'picture']), sha256: Hash, bytes: z.number().int() })),
  outcome: z.enum(['asking', 'answered', 'wrong', 'failed']),
  error_code: z.string().nullable(),
  raw: z.string().nullable(),
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  dollars: z.number().nullable(),
  ms: z.number().int(),
  /** HTTP requests, retries included. */
  tries: z.number().int(),
})
export type LlmCallEntry = z.infer<typeof LlmCallEntry>

export const SuggestionEntry = z.object({
  grade_id: Id,
  current: z.boolean(),
  at: Timestamp,
  grader: z.object({ name: z.string(), version: z.string() }),
  run_id: Id,
  rubric_version: z.number().int(),
  class_key: z.string(),
  /** Null for older grades. */
  inputs: z.object({ paper: Hash, rubric: Hash, answers: Hash }).nullable(),
  overall_score: z.number().nullable(),
  confidence: z.number(),
  reasons: z.array(z.string()),
  criteria: z.array(
    CriterionGrade.pick({
      criterion_id: true,
      question_id: true,
      criterion_text: true,
      score: true,
      unscored_reason: true,
      max_score: true,
      confidence: true,
      /** Only in the current suggestion. */
      teacher_score: true,
    }).extend({
      /** As printed; null if the rubric no longer has the question. */
      question_number: z.string().nullable(),
    }),
  ),
})
export type SuggestionEntry = z.infer<typeof SuggestionEntry>

/** Oldest first. */
export const GradeHistory = z.object({
  format: z.literal('assay-grade-history/1'),
  submission_id: Id,
  assignment_id: Id,
  student_identifier: ShownName,
  paper: z.object({ file_name: ShownName, sha256: Hash, handed_in_at: Timestamp }),
  /** In percent, the teacher's if there is one; null without a grade. */
  final_score_after_review: z.number().nullable(),
  points: Points.nullable(),
  /** After a late penalty, shift or scale; omitted where nothing adjusts it. */
  adjusted: AdjustedScore.optional(),
  suggestions: z.array(SuggestionEntry),
  events: z.array(AuditEntry),
  /** From accuracy checks; they count only where used as points. */
  blind_marks: z.array(
    z.object({ check_id: Id, started_at: Timestamp, question_id: z.string(), points: CriterionPoints }),
  ),
  calls: z.array(LlmCallEntry),
  cost: z.object({ input_tokens: z.number().int(), output_tokens: z.number().int(), dollars: z.number().nullable() }),
})
export type GradeHistory = z.infer<typeof GradeHistory>

export const getGradeHistory = defineEndpoint('get', '/assignments/:assignmentId/submissions/:submissionId/history', {
  summary: 'The history of a paper’s grade: suggestions, changes by people, and LLM requests',
  reply: GradeHistory,
})

export const exportGradeHistory = defineEndpoint('get', '/assignments/:assignmentId/export/history.jsonl', {
  summary: 'The history of each grade of an assignment, as JSON lines: one for each paper',
  reply: z.string(),
  raw: 'application/x-ndjson',
})
