import type { LlmProvider } from '@assay/shared/llm-settings.ts'
import mongoose from 'mongoose'
import type { LlmErrorCode } from '../../grader/llm/llm-error.ts'

/** One question that went to a model, and what came of it. Kept for the audit and the sums. */
export interface LlmCallDoc {
  _id: number
  /** By which the same question about the same thing in the same run is known again. Calls that failed may share one. */
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
  /** What was said to the model, by hash alone. */
  inputs: { kind: 'system' | 'text' | 'picture'; sha256: string; bytes: number }[]
  /** `asking` until it has ended; one that a process died over stays so. */
  outcome: 'asking' | 'answered' | 'wrong' | 'failed'
  trouble: LlmErrorCode | null
  /** Whether the provider charges for it. */
  paid: boolean
  input_tokens: number
  output_tokens: number
  /** US dollars; null when nobody had said what a token costs. */
  dollars: number | null
  /** Given up while the model was at work: tokens and dollars are the most it may have taken. Absent: they are what it took. */
  estimated?: boolean
  ms: number
  /** How often the provider was asked over HTTP. */
  tries: number
  /** US dollars that are kept back of the budget while it is asked. */
  held: number
  /** Whether the sums have it. */
  summed: boolean
  /** When it began. */
  at: Date
  /** The one it began in: `2026-11`, UTC. */
  month: string
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
    trouble: { type: String, default: null },
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
export const LlmCallModel = mongoose.model('ModelCall', llmCallSchema, 'model_calls')

/** What a model wrote, word for word. Apart from the calls: it goes with what it is about, and they stay for the sums. */
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
export const LlmAnswerModel = mongoose.model('ModelAnswer', llmAnswerSchema, 'model_answers')

/** The calendar month a moment is in, UTC: budgets count by it. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7)
