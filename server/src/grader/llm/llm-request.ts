import type { z } from 'zod'

export type LlmMessagePart =
  | { text: string }
  | { picture: { bytes: Uint8Array; media_type: 'image/png' | 'image/jpeg' } }

/** One request to an LLM, answered by a value of the schema's shape. It is sent as it is: names are masked already. */
export interface LlmRequest<T> {
  /** What it is for; stored with what it cost. */
  purpose: string
  /** Raised whenever the fixed text of the prompt changes. Stored for the audit. */
  prompt_version: string
  system: string
  parts: LlmMessagePart[]
  /** A name for the schema that providers accept: letters, digits, `_`. */
  schema_name: string
  schema: z.ZodType<T>
  /** What is wrong with a response that fits the schema, written for the LLM; null when nothing is. */
  check?: (value: T) => string | null
  /** The most tokens a response may have. */
  most_tokens: number
  /** Another model of the same provider, for a second opinion. */
  model?: string
  /** Somebody is testing the connection: one attempt, past an open circuit, with messages that say how to set it up. */
  is_connection_test?: true
}

interface LlmResponse<T> {
  value: T
  /** In the ledger of calls: the audit's way to the raw response. */
  call_id: number
  /** `openai/gpt-…`: which model answered. */
  model: string
}

/** A response against the schema or its check, and what is sent to the LLM about it. */
export interface InvalidResponse {
  raw: string
  complaint: string
}

/**
 * Sends a request, retries what can be retried, asks for a correction when the response breaks the schema, and records the response and
 * its cost. The same request in the same run is paid once: after a crash, its response comes from the ledger.
 * @throws {LlmError} when there is no response; the signal's reason when it was stopped
 */
export type LlmClient = <T>(request: LlmRequest<T>, signal?: AbortSignal) => Promise<LlmResponse<T>>
