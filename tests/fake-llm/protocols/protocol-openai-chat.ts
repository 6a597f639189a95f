import { z } from 'zod'
import { emptyRequest, JsonSchema, type Protocol } from '../received-request.ts'
import { collectMessages, openaiError } from './openai-messages.ts'

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
])

const Body = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  stream: z.literal(false).optional(),
  response_format: z
    .object({ type: z.string(), json_schema: z.object({ name: z.string(), schema: JsonSchema }).optional() })
    .optional(),
})

/** Also used by Ollama, llama.cpp and vLLM. */
export const openAiChatProtocol: Protocol = {
  name: 'chat',
  keyHeader: 'authorization',
  owns: (path) => path.endsWith('/chat/completions'),

  read(raw) {
    const body = Body.parse(raw)
    const asked = emptyRequest('chat', body.model)
    asked.mostTokens = body.max_completion_tokens ?? body.max_tokens ?? null
    asked.schema = body.response_format?.json_schema?.schema ?? null
    collectMessages(asked, body.messages, (part) =>
      part.type === 'image_url' ? { picture: part.image_url.url } : part,
    )
    return asked
  },

  answer: ({ text, ending, usage }, asked) => ({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: asked.model,
    choices: [
      {
        index: 0,
        message:
          ending === 'refused'
            ? { role: 'assistant', content: null, refusal: text }
            : { role: 'assistant', content: text },
        finish_reason: ending === 'cut_off' ? 'length' : 'stop',
      },
    ],
    ...(usage && {
      usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
    }),
  }),

  error: openaiError,
}
