import { z } from 'zod'
import type { LlmRequest } from './llm-request.ts'

/** A response as a value, or what is wrong with it, written for the LLM. */
type ParsedResponse<T> = { value: T } | { complaint: string }

/** Nothing is repaired: a response fits the schema and its check, or is invalid. Only reasoning and code fences are removed. */
export function parseResponse<T>(question: Pick<LlmRequest<T>, 'schema' | 'check'>, raw: string): ParsedResponse<T> {
  const text = stripReasoningAndFence(raw)
  if (text === '') return { complaint: 'The answer was empty.' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof SyntaxError ? ` (${error.message.slice(0, 120)})` : ''
    return { complaint: `The answer is not valid JSON${why}.` }
  }
  const read = question.schema.safeParse(json)
  if (!read.success)
    return {
      complaint: `The answer does not fit the schema:\n${z.prettifyError(read.error).slice(0, 2_000)}`,
    }
  const complaint = question.check?.(read.data) ?? null
  return complaint === null ? { value: read.data } : { complaint }
}

/** Without the reasoning before it and the fence around it, which local LLMs often write against the instructions. */
function stripReasoningAndFence(raw: string): string {
  const text = raw.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim()
  return /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text
}
