import type { z } from 'zod'

export type LlmMessagePart =
  | { text: string }
  | { picture: { bytes: Uint8Array; media_type: 'image/png' | 'image/jpeg' } }

/** Sent as it is: names are masked already. */
export interface LlmRequest<T> {
  /** Stored with what it cost. */
  purpose: string
  /** Raise it when the fixed text changes. Stored for the audit. */
  prompt_version: string
  system: string
  parts: LlmMessagePart[]
  /** Letters, digits, `_`. */
  schema_name: string
  schema: z.ZodType<T>
  /** For a response that fits the schema: what is wrong, written for the LLM, or null. */
  check?: (value: T) => string | null
  most_tokens: number
  /** Of the same provider, for a second opinion. */
  model?: string
  /** One attempt, past an open circuit, with messages about setting it up. */
  is_connection_test?: true
}

interface LlmResponse<T> {
  value: T
  /** In the ledger: how the audit finds the raw response. */
  call_id: number
  /** `openai/gpt-…`: which model answered. */
  model: string
}

/** `complaint` is sent to the LLM. */
export interface InvalidResponse {
  raw: string
  complaint: string
}

/**
 * Retries, asks for a correction of invalid responses, and records response and cost. A request of a run is paid once:
 * after a crash its response comes from the ledger.
 * @throws {LlmError} without a response; the signal's reason when stopped
 */
export type LlmClient = <T>(request: LlmRequest<T>, signal?: AbortSignal) => Promise<LlmResponse<T>>
