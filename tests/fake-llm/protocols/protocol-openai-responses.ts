import { z } from 'zod'
import { emptyRequest, JsonSchema, type Protocol } from '../received-request.ts'
import { collectMessages, openaiError } from './openai-messages.ts'

const Part = z.union([
  z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
])

const Body = z.object({
  model: z.string(),
  input: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]) })),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().optional(),
  stream: z.literal(false).optional(),
  text: z
    .object({
      format: z.object({ type: z.string(), name: z.string().optional(), schema: JsonSchema.optional() }).optional(),
    })
    .optional(),
})

export const openAiResponsesProtocol: Protocol = {
  name: 'responses',
  keyHeader: 'authorization',
  owns: (path) => path.endsWith('/responses'),

  read(raw) {
    const body = Body.parse(raw)
    const asked = emptyRequest('responses', body.model)
    asked.system = body.instructions ?? ''
    asked.mostTokens = body.max_output_tokens ?? null
    asked.schema = body.text?.format?.schema ?? null
    collectMessages(asked, body.input, (part) => (part.type === 'input_image' ? { picture: part.image_url } : part))
    return asked
  },

  answer: ({ text, ending, usage }, asked) => ({
    id: 'resp_fake',
    object: 'response',
    created_at: 1_700_000_000,
    status: ending === 'cut_off' ? 'incomplete' : 'completed',
    incomplete_details: ending === 'cut_off' ? { reason: 'max_output_tokens' } : null,
    error: null,
    model: asked.model,
    output: [
      {
        type: 'message',
        id: 'msg_fake',
        role: 'assistant',
        status: ending === 'cut_off' ? 'incomplete' : 'completed',
        content: [
          ending === 'refused' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] },
        ],
      },
    ],
    ...(usage && {
      usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output },
    }),
  }),

  error: openaiError,
}
