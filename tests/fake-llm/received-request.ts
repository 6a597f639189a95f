import { createHash } from 'node:crypto'
import { z } from 'zod'

/** `chat` is that of OpenAI-compatible servers. */
type ProtocolName = 'chat' | 'responses' | 'anthropic' | 'google'

/** What is needed to compose answers. */
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

export interface ReceivedRequest {
  wire: ProtocolName
  model: string
  system: string
  texts: string[]
  pictures: RequestImage[]
  schema: JsonSchema | null
  /** The answer is a tool's input, as with Anthropic's older models. */
  byTool: boolean
  /** User messages: 2 and more when an earlier answer was rejected. */
  turns: number
  mostTokens: number | null
}

export function decodeImage(base64: string, media_type: string): RequestImage {
  const bytes = Buffer.from(base64, 'base64')
  return { bytes, media_type, sha256: createHash('sha256').update(bytes).digest('hex') }
}

export const emptyRequest = (wire: ProtocolName, model: string): ReceivedRequest => ({
  wire,
  model,
  system: '',
  texts: [],
  pictures: [],
  schema: null,
  byTool: false,
  turns: 0,
  mostTokens: null,
})

export function decodeDataUrl(url: string): RequestImage | null {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return type && data ? decodeImage(data, type) : null
}

function promptHash(asked: ReceivedRequest): string {
  const parts = [asked.model, asked.system, asked.texts, asked.pictures.map(({ sha256 }) => sha256)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

export interface AnswerContent {
  text: string
  ending: 'whole' | 'refused' | 'cut_off'
  /** Null for a server that does not report usage. */
  usage: { input: number; output: number } | null
}

export interface ProtocolError {
  status: number
  message: string
  code: string
}

export interface Protocol {
  name: ProtocolName
  owns(path: string): boolean
  /** @throws {ZodError} */
  read(body: unknown, path: string): ReceivedRequest
  answer(content: AnswerContent, asked: ReceivedRequest): unknown
  error(error: ProtocolError): unknown
  keyHeader: string
}

export interface RecordedRequest {
  asked: ReceivedRequest
  prompt: string
  idempotencyKey: string | null
  key: string | null
  at: number
  /** Null until something is sent; 0 for a connection that was closed or stalled. */
  status: number | null
  billed: boolean
  /** Null when there is none, or when an earlier one was repeated. */
  answer: string | null
  /** Repeated from an earlier request with the same `Idempotency-Key`. */
  replayed: boolean
  input_tokens: number
  output_tokens: number
  abandoned: boolean
}

interface Counts {
  received: number
  answered: number
  billed: number
}

export class RecordedRequests {
  readonly all: RecordedRequest[] = []
  maxConcurrent = 0
  concurrent = 0

  add(
    record: Omit<
      RecordedRequest,
      'prompt' | 'status' | 'billed' | 'answer' | 'replayed' | 'input_tokens' | 'output_tokens' | 'abandoned'
    >,
  ): RecordedRequest {
    const one: RecordedRequest = {
      ...record,
      prompt: promptHash(record.asked),
      status: null,
      billed: false,
      answer: null,
      replayed: false,
      input_tokens: 0,
      output_tokens: 0,
      abandoned: false,
    }
    this.all.push(one)
    return one
  }

  counts(prompt?: string): Counts {
    const among = prompt === undefined ? this.all : this.all.filter((record) => record.prompt === prompt)
    return {
      received: among.length,
      answered: among.filter(({ status }) => status === 200).length,
      billed: among.filter(({ billed }) => billed).length,
    }
  }

  billedTwice(): string[] {
    const times = new Map<string, number>()
    for (const { prompt, billed } of this.all) if (billed) times.set(prompt, (times.get(prompt) ?? 0) + 1)
    return [...times].filter(([, n]) => n > 1).map(([prompt]) => prompt)
  }

  clear(): void {
    this.all.length = 0
    this.maxConcurrent = this.concurrent
  }
}
