import type { LlmCallResult, LlmCallStart } from '../../grader/llm/llm-call-ledger.ts'
import { type DocOf, defineModel, defineSchema, field, schemaOf } from '../../lib/database/define-model.ts'

/** Stored for the audit and the totals. */
export interface LlmCallDoc
  extends Omit<LlmCallStart, 'most_dollars'>,
    Omit<LlmCallResult, 'outcome' | 'raw' | 'estimated'> {
  _id: number
  /** The course's own key and money, or the system's. */
  payer: 'system' | 'course'
  course_id: number | null
  assignment_id: number | null
  run_id: number | null
  submission_id: number | null
  /** `asking` until it has ended, and for good when the process dies. */
  outcome: 'asking' | 'answered' | 'wrong' | 'failed'
  /** Abandoned while the LLM was responding: tokens and dollars are upper bounds. Absent: exact. */
  estimated?: boolean
  /** US dollars reserved in the budget while it is under way. */
  held: number
  /** Whether it is in the totals. */
  summed: boolean
  at: Date
  /** When it began: `2026-11`, UTC. */
  month: string
  /** Absent in calls of versions with only one process. */
  process?: string
}

const idOrNull = { type: Number, default: null }
const llmCallSchema = defineSchema<LlmCallDoc>({
  _id: Number,
  identity: { type: String, required: true },
  payer: { type: String, required: true },
  course_id: idOrNull,
  assignment_id: idOrNull,
  run_id: idOrNull,
  submission_id: idOrNull,
  purpose: { type: String, required: true },
  provider: { type: String, required: true },
  model: { type: String, required: true },
  prompt_version: { type: String, required: true },
  schema_name: { type: String, required: true },
  inputs: {
    type: [{ _id: false, kind: String, sha256: String, bytes: Number }],
    default: [],
  },
  outcome: { type: String, required: true },
  error_code: { type: String, default: null },
  paid: { type: Boolean, required: true },
  input_tokens: { type: Number, required: true },
  output_tokens: { type: Number, required: true },
  dollars: idOrNull,
  estimated: Boolean,
  ms: { type: Number, required: true },
  tries: { type: Number, required: true },
  held: { type: Number, required: true },
  summed: { type: Boolean, required: true },
  at: { type: Date, required: true },
  month: { type: String, required: true },
  process: String,
})
llmCallSchema.index({ identity: 1, _id: -1 })
llmCallSchema.index({ assignment_id: 1 })
llmCallSchema.index({ run_id: 1 })
llmCallSchema.index({ submission_id: 1 })
llmCallSchema.index({ at: -1 })
llmCallSchema.index({ outcome: 1 }, { partialFilterExpression: { outcome: 'asking' } })
llmCallSchema.index({ summed: 1 }, { partialFilterExpression: { summed: false } })
export const LlmCallModel = defineModel('LlmCall', llmCallSchema, 'llm_calls')

/** Verbatim, and apart from the calls: deleted with its subject, while calls stay for the totals. */
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
