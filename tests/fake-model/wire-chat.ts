import { z } from 'zod'
import { type Asked, JsonSchema, pictureAt } from './asked.ts'
import type { Wire } from './wire.ts'

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
    .object({
      type: z.string(),
      json_schema: z.object({ name: z.string(), schema: JsonSchema }).optional(),
    })
    .optional(),
})

/** OpenAI's chat completions, which Ollama, llama.cpp and vLLM speak as well. */
export const chatWire: Wire = {
  name: 'chat',
  keyHeader: 'authorization',
  owns: (path) => path.endsWith('/chat/completions'),

  read(raw) {
    const body = Body.parse(raw)
    const format = body.response_format?.json_schema
    const asked: Asked = {
      wire: 'chat',
      model: body.model,
      system: '',
      texts: [],
      pictures: [],
      schema: format?.schema ?? null,
      schemaName: format?.name ?? null,
      byTool: false,
      turns: 0,
      mostTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    }
    for (const { role, content } of body.messages) {
      const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
      if (role === 'user') asked.turns++
      for (const part of parts) {
        if (part.type === 'image_url')
          asked.pictures.push(...[pictureAt(part.image_url.url)].filter((found) => found !== null))
        else if (role === 'user') asked.texts.push(part.text)
        else if (role !== 'assistant') asked.system += part.text
      }
    }
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
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
  }),

  error: ({ message, code }) => ({ error: { message, type: code, param: null, code } }),
}
