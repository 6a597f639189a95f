import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/** Every answer is `billed`, as by a provider. Those after `gullible` damage the honest answer. */
export const Behaviour = z.discriminatedUnion('do', [
  z.object({ do: z.literal('honest') }),
  z.object({ do: z.literal('gullible') }),
  /** This value as JSON, or this text. */
  z.object({ do: z.literal('say'), value: z.unknown().optional(), text: z.string().optional() }),
  /** Half of the JSON, but reported as complete. */
  z.object({ do: z.literal('broken_json') }),
  z.object({ do: z.literal('wrong_ids') }),
  z.object({ do: z.literal('out_of_range') }),
  z.object({ do: z.literal('foreign_quotes') }),
  /** In a code fence, which is still valid. */
  z.object({ do: z.literal('fenced') }),
  z.object({ do: z.literal('refuse') }),
  /** Half of the JSON, reported as truncated at the token limit. */
  z.object({ do: z.literal('cut_off') }),
  /** Before the first byte, or in the middle of the answer (which is billed). */
  z.object({ do: z.literal('hang_up'), after: z.enum(['nothing', 'half']).default('half') }),
  /** Never answers, not billed. */
  z.object({ do: z.literal('stall') }),
  z.object({ do: z.literal('slow'), pieces: z.number().int().min(1), pauseMs: z.number().min(0) }),
  z.object({
    do: z.literal('error'),
    status: z.number().int().min(300).max(599),
    message: z.string().default('Something went wrong.'),
    code: z.string().default('fake_error'),
    headers: z.record(z.string(), z.string()).default({}),
    /** Replaces the protocol's error body. */
    body: z.string().optional(),
  }),
  z.object({ do: z.literal('echo_key'), status: z.number().int().default(401) }),
  z.object({ do: z.literal('web_page') }),
  z.object({ do: z.literal('garbage') }),
])
export type Behaviour = z.infer<typeof Behaviour>

export const ScriptStep = z.object({
  behaviour: Behaviour,
  times: z.number().int().min(1).default(1),
  /** A regular expression for the prompt. */
  when: z.string().optional(),
})
export type ScriptStep = z.infer<typeof ScriptStep>

/** Can be changed while it runs. */
export const Settings = z.object({
  mode: z.enum(['honest', 'gullible']),
  latencyMs: z.number().min(0),
  idempotency: z.boolean(),
  /** False for a server that refuses structured output such as `response_format`. */
  takesSchema: z.boolean(),
  takesPictures: z.boolean(),
  /** False for a server that does not report token usage. */
  counts: z.boolean(),
  key: z.string().nullable(),
  model: z.string().nullable(),
  transcript: z.string(),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  mode: 'honest',
  latencyMs: 0,
  idempotency: false,
  takesSchema: true,
  takesPictures: true,
  counts: true,
  key: null,
  model: null,
  transcript: '',
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : JSON.parse(text)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export async function sendSlowly(
  response: ServerResponse,
  body: string,
  { pieces, pauseMs }: { pieces: number; pauseMs: number },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const size = Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    await sleep(pauseMs)
    response.write(body.slice(at, at + size))
  }
  response.end()
}
