import type { LlmCallResult, LlmCallStart } from '../../grader/llm/llm-call-ledger.ts'
import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Most fields are those of `LlmCallStart` and `LlmCallResult`. */
const llmCallSchema = schemaOf({
  _id: field.id(Number),
  identity: field.required(String),
  payer: field.required<'system' | 'course'>(String),
  course_id: field.nullable(Number),
  assignment_id: field.nullable(Number),
  run_id: field.nullable(Number),
  submission_id: field.nullable(Number),
  purpose: field.required(String),
  provider: field.required<LlmCallStart['provider']>(String),
  model: field.required(String),
  prompt_version: field.required(String),
  schema_name: field.required(String),
  inputs: field.withDefault<LlmCallStart['inputs']>([{ _id: false, kind: String, sha256: String, bytes: Number }], []),
  /** `asking` for good if the process dies. */
  outcome: field.required<'asking' | 'answered' | 'wrong' | 'failed'>(String),
  error_code: field.nullable<NonNullable<LlmCallResult['error_code']>>(String),
  paid: field.required(Boolean),
  input_tokens: field.required(Number),
  output_tokens: field.required(Number),
  dollars: field.nullable(Number),
  /** Abandoned while the LLM was responding: tokens and dollars are upper bounds. */
  estimated: field.optional(Boolean),
  ms: field.required(Number),
  tries: field.required(Number),
  /** US dollars reserved in the budget while it is under way. */
  held: field.required(Number),
  summed: field.required(Boolean),
  at: field.required(Date),
  /** When it began: `2026-11`, UTC. */
  month: field.required(String),
  process: field.optional(String),
})
export type LlmCallDoc = DocOf<typeof llmCallSchema>
llmCallSchema.index({ identity: 1, _id: -1 })
llmCallSchema.index({ assignment_id: 1 })
llmCallSchema.index({ run_id: 1 })
llmCallSchema.index({ submission_id: 1 })
llmCallSchema.index({ at: -1 })
llmCallSchema.index({ outcome: 1 }, { partialFilterExpression: { outcome: 'asking' } })
llmCallSchema.index({ summed: 1 }, { partialFilterExpression: { summed: false } })
export const LlmCallModel = defineModel('LlmCall', llmCallSchema, 'llm_calls')

/** Apart from the calls, which stay for the totals when this is deleted with its subject. */
const llmAnswerSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.nullable(Number),
  submission_id: field.nullable(Number),
  raw: field.required(String),
})
export type LlmAnswerDoc = DocOf<typeof llmAnswerSchema>
llmAnswerSchema.index({ submission_id: 1 })
llmAnswerSchema.index({ assignment_id: 1 })
export const LlmAnswerModel = defineModel('LlmAnswer', llmAnswerSchema, 'llm_answers')

/** UTC, as budgets count. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7)
