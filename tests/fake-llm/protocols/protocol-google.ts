import { z } from 'zod'
import { decodeImage, emptyRequest, JsonSchema, type Protocol, type ReceivedRequest } from '../received-request.ts'

const Part = z.union([
  z.object({ text: z.string() }),
  z.object({ inlineData: z.object({ mimeType: z.string(), data: z.string() }) }),
])

const Body = z.object({
  contents: z.array(z.object({ role: z.string().optional(), parts: z.array(Part) })),
  systemInstruction: z.object({ parts: z.array(z.object({ text: z.string() })) }).optional(),
  generationConfig: z
    .object({
      maxOutputTokens: z.number().optional(),
      responseMimeType: z.string().optional(),
      responseSchema: JsonSchema.optional(),
      responseJsonSchema: JsonSchema.optional(),
    })
    .optional(),
})

export const googleProtocol: Protocol = {
  name: 'google',
  keyHeader: 'x-goog-api-key',
  owns: (path) => path.endsWith(':generateContent'),

  read(raw, path) {
    const body = Body.parse(raw)
    const config = body.generationConfig
    const asked: ReceivedRequest = {
      ...emptyRequest('google', /models\/([^:]+):/.exec(path)?.[1] ?? ''),
      system: body.systemInstruction?.parts.map(({ text }) => text).join('') ?? '',
      schema: config?.responseJsonSchema ?? config?.responseSchema ?? null,
      mostTokens: config?.maxOutputTokens ?? null,
    }
    for (const { role, parts } of body.contents) {
      if (role === 'model') continue
      asked.turns++
      for (const part of parts) {
        if ('text' in part) asked.texts.push(part.text)
        else asked.pictures.push(decodeImage(part.inlineData.data, part.inlineData.mimeType))
      }
    }
    return asked
  },

  answer: ({ text, ending, usage }) => ({
    responseId: 'fake',
    candidates: [
      {
        ...(ending !== 'refused' && { content: { role: 'model', parts: [{ text }] } }),
        finishReason: ending === 'cut_off' ? 'MAX_TOKENS' : ending === 'refused' ? 'SAFETY' : 'STOP',
      },
    ],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    }),
  }),

  error: ({ status, message, code }) => ({ error: { code: status, message, status: code, details: [] } }),
}
