import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { decodeImage, emptyRequest, JsonSchema, type Protocol, type ReceivedRequest } from '../received-request.ts'

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
])

const Body = z.object({
  model: z.string(),
  max_tokens: z.number(),
  system: z.union([z.string(), z.array(z.object({ text: z.string() }))]).optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(Part)]) })),
  stream: z.literal(false).optional(),
  output_config: z.object({ format: z.object({ type: z.string(), schema: JsonSchema }).optional() }).optional(),
  tools: z.array(z.object({ name: z.string(), input_schema: JsonSchema })).optional(),
})

export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  keyHeader: 'x-api-key',
  owns: (path) => path.endsWith('/messages'),

  read(raw) {
    const body = Body.parse(raw)
    const tool = body.tools?.find(({ name }) => name === 'json')
    const system = body.system ?? ''
    const asked: ReceivedRequest = {
      ...emptyRequest('anthropic', body.model),
      system: typeof system === 'string' ? system : system.map(({ text }) => text).join(''),
      schema: body.output_config?.format?.schema ?? tool?.input_schema ?? null,
      byTool: tool !== undefined,
      mostTokens: body.max_tokens,
    }
    for (const { role, content } of body.messages) {
      if (role !== 'user') continue
      asked.turns++
      const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
      for (const part of parts) {
        if (part.type === 'text') asked.texts.push(part.text)
        else asked.pictures.push(decodeImage(part.source.data, part.source.media_type))
      }
    }
    return asked
  },

  answer({ text, ending, usage }, asked) {
    const input = asked.byTool && ending === 'whole' ? parseJson(text) : undefined
    const byTool = input !== undefined
    return {
      id: 'msg_fake',
      type: 'message',
      role: 'assistant',
      model: asked.model,
      content: byTool ? [{ type: 'tool_use', id: 'toolu_fake', name: 'json', input }] : [{ type: 'text', text }],
      stop_reason:
        ending === 'cut_off' ? 'max_tokens' : ending === 'refused' ? 'refusal' : byTool ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      // Its protocol always reports usage.
      usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
    }
  },

  error: ({ message, code }) => ({ type: 'error', error: { type: code, message } }),
}
