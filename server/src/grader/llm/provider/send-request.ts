import type { JSONSchema7, LanguageModel, ModelMessage } from 'ai'
import type { InvalidResponse, LlmMessagePart, LlmRequest } from '../llm-request.ts'
import { estimateTextTokens, type TokenCounts } from '../tokens.ts'

export interface OutgoingRequest {
  request: Omit<LlmRequest<unknown>, 'check'>
  /** The invalid response this asks to correct. */
  previous: InvalidResponse | null
  /** Whether the schema is described in the prompt, for a model that supports none. */
  schemaInWords: boolean
  idempotencyKey: string
}

/** A response: paid for however it ends. */
export interface ProviderResponse extends TokenCounts {
  text: string
  finish: 'whole' | 'refused' | 'cut_off'
}

/** One HTTP request without retries. Throws what the SDK throws. */
export async function sendRequest(
  model: LanguageModel,
  send: OutgoingRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { generateText, Output, zodSchema } = await import('ai')
  // Unsupported settings are handled here; the SDK's warnings would only fill the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { request, schemaInWords } = send
  const schema = await zodSchema(request.schema).jsonSchema
  const instructions = schemaInWords ? `${request.system}\n\n${schemaInstructions(schema)}` : request.system
  const result = await generateText({
    model,
    instructions,
    messages: messagesFor(send),
    output: {
      ...Output.text(),
      // As text, so that we parse and store the raw response ourselves.
      responseFormat: Promise.resolve(
        schemaInWords ? { type: 'text' } : { type: 'json', schema, name: request.schema_name },
      ),
    },
    maxOutputTokens: request.most_tokens,
    maxRetries: 0,
    abortSignal: signal,
    headers: { 'Idempotency-Key': send.idempotencyKey },
    // The provider must not store students' data.
    providerOptions: { openai: { store: false } },
  })
  const { finishReason, usage } = result
  const text = finishReason === 'stop' || result.text ? result.output : ''
  return {
    text,
    finish: finishReason === 'length' ? 'cut_off' : finishReason === 'content-filter' ? 'refused' : 'whole',
    // Some local servers report no usage.
    input_tokens: usage.inputTokens ?? estimateTextTokens(instructions + JSON.stringify(send.previous)),
    output_tokens: usage.outputTokens ?? estimateTextTokens(text),
  }
}

function messagesFor({ request, previous }: OutgoingRequest): ModelMessage[] {
  const asked: ModelMessage = { role: 'user', content: request.parts.map(contentOf) }
  if (!previous) return [asked]
  const again = `That answer cannot be used. ${previous.complaint}\nAnswer the question above once more, whole, in the form asked for.`
  if (previous.raw.trim() === '') return [asked, { role: 'user', content: again }]
  return [asked, { role: 'assistant', content: previous.raw }, { role: 'user', content: again }]
}

function contentOf(part: LlmMessagePart) {
  if ('text' in part) return { type: 'text' as const, text: part.text }
  return { type: 'file' as const, data: part.picture.bytes, mediaType: part.picture.media_type }
}

function schemaInstructions(schema: JSONSchema7): string {
  return `Answer with one JSON object and nothing else: no words before or after it, no code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}
