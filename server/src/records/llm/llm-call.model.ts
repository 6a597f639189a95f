import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import mongoose from 'mongoose'
import type { LlmErrorCode } from '../../grader/llm/errors/llm-error.ts'

/** One LLM request and its outcome. Stored for the audit and the totals. */
export interface LlmCallDoc {
  _id: number
  /** Identifies the same request about the same subject in the same run. Failed calls may share one. */
  identity: string
  /** Whose key and money: the course's own, or the system's. */
  payer: 'system' | 'course'
  course_id: number | null
  assignment_id: number | null
  run_id: number | null
  submission_id: number | null
  purpose: string
  provider: LlmProvider
  model: string
  prompt_version: string
  schema_name: string
  /** What was sent to the LLM, as hashes only. */
  inputs: { kind: 'system' | 'text' | 'picture'; sha256: string; bytes: number }[]
  /** `asking` until it has ended; it stays so when the process dies. */
  outcome: 'asking' | 'answered' | 'wrong' | 'failed'
  error_code: LlmErrorCode | null
  /** Whether the provider charges for it. */
  paid: boolean
  input_tokens: number
  output_tokens: number
  /** US dollars; null without a price for tokens. */
  dollars: number | null
  /** Abandoned while the LLM was responding: tokens and dollars are upper bounds. Absent: they are exact. */
  estimated?: boolean
  ms: number
  /** HTTP requests to the provider, retries included. */
  tries: number
  /** US dollars reserved in the budget while it is under way. */
  held: number
  /** Whether it is in the totals. */
  summed: boolean
  /** When it began. */
  at: Date
  /** The month it began in: `2026-11`, UTC. */
  month: string
  /** Which process makes it. Absent in calls of versions before there could be several. */
  process?: string
}

const idOrNull = { type: Number, default: null }
const llmCallSchema = new mongoose.Schema<LlmCallDoc>(
  {
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
  },
  { versionKey: false },
)
llmCallSchema.index({ identity: 1, _id: -1 })
llmCallSchema.index({ assignment_id: 1 })
llmCallSchema.index({ run_id: 1 })
llmCallSchema.index({ submission_id: 1 })
llmCallSchema.index({ at: -1 })
llmCallSchema.index({ outcome: 1 }, { partialFilterExpression: { outcome: 'asking' } })
llmCallSchema.index({ summed: 1 }, { partialFilterExpression: { summed: false } })
export const LlmCallModel = mongoose.model('LlmCall', llmCallSchema, 'llm_calls')

/** An LLM's response, verbatim. Apart from the calls: it is deleted with its subject, while calls stay for the totals. */
export interface LlmAnswerDoc {
  /** The call's. */
  _id: number
  assignment_id: number | null
  submission_id: number | null
  raw: string
}

const llmAnswerSchema = new mongoose.Schema<LlmAnswerDoc>(
  { _id: Number, assignment_id: idOrNull, submission_id: idOrNull, raw: { type: String, required: true } },
  { versionKey: false },
)
llmAnswerSchema.index({ submission_id: 1 })
llmAnswerSchema.index({ assignment_id: 1 })
export const LlmAnswerModel = mongoose.model('LlmAnswer', llmAnswerSchema, 'llm_answers')

/** The calendar month a moment is in, UTC: budgets count by it. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7)
