import type { z } from 'zod'
import type { Picture } from '../grader.ts'

/** What a question is asked for; kept with what it cost. */
export type LlmPurpose = 'grade' | 'second_opinion' | 'rubric' | 'transcribe' | 'test'

/** What is said to a model: words, or a picture of a page. */
export type LlmMessagePart = { text: string } | { picture: Picture }

/** One question to a model, answered by a value of the schema's shape. Names are masked already: it leaves as it stands. */
export interface LlmRequest<T> {
  purpose: LlmPurpose
  /** Of the words around the student's: raised whenever they change. Kept for the audit. */
  prompt_version: string
  system: string
  parts: LlmMessagePart[]
  /** A name for the schema that providers accept: letters, digits, `_`. */
  schema_name: string
  schema: z.ZodType<T>
  /** What is wrong with an answer that fits the schema, in words for the model; null when nothing is. */
  check?: (value: T) => string | null
  /** The most tokens an answer may have. */
  most_tokens: number
  /** Asks another model of the same provider, where a second opinion is to come from one. */
  model?: string
}

export interface LlmResponse<T> {
  value: T
  /** In the ledger of calls, the audit's way to the raw answer. */
  call_id: number
  /** `openai/gpt-…`: who answered. */
  model: string
}

/**
 * Asks, retries what can be retried, asks once more for an answer that breaks the schema, and keeps what was answered and what it
 * cost. The same question about the same thing in the same run is paid once: after a crash, its answer comes from the ledger.
 * @throws {LlmError} when there is no answer; the signal's reason when it was stopped
 */
export type LlmClient = <T>(question: LlmRequest<T>, signal?: AbortSignal) => Promise<LlmResponse<T>>
