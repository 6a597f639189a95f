import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The protocols it speaks. `chat` is what OpenAI-compatible servers speak. */
export type ProtocolName = 'chat' | 'responses' | 'anthropic' | 'google'

/** As much of JSON Schema as answering by one takes. */
export const JsonSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  get properties() {
    return z.record(z.string(), JsonSchema).optional()
  },
  required: z.array(z.string()).optional(),
  get items() {
    return JsonSchema.optional()
  },
  get anyOf() {
    return z.array(JsonSchema).optional()
  },
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  minItems: z.number().optional(),
})
export type JsonSchema = z.infer<typeof JsonSchema>

export interface RequestImage {
  sha256: string
  media_type: string
  bytes: Buffer
}

/** What was asked, whichever protocol it came by. */
export interface ReceivedRequest {
  wire: ProtocolName
  model: string
  system: string
  /** The user's words, one for each part, over all turns. */
  texts: string[]
  pictures: RequestImage[]
  /** Null when none was given, or only in words. */
  schema: JsonSchema | null
  schemaName: string | null
  /** Whether the answer goes into a tool's input, as Anthropic's older models have it. */
  byTool: boolean
  /** How often the user spoke: 2 and more when an answer was not good enough. */
  turns: number
  mostTokens: number | null
}

export function decodeImage(base64: string, media_type: string): RequestImage {
  const bytes = Buffer.from(base64, 'base64')
  return { bytes, media_type, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A picture in a `data:` address; null for any other address. */
export function decodeDataUrl(url: string): RequestImage | null {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return type && data ? decodeImage(data, type) : null
}

/** The same for the same words and pictures. */
export function promptHash(asked: ReceivedRequest): string {
  const said = [asked.model, asked.system, asked.texts, asked.pictures.map(({ sha256 }) => sha256)]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)
}
