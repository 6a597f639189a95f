import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createAgents, isRefusedAddress, type OutgoingAgents } from './outgoing-agents.ts'

export interface Guard {
  /** Whether private addresses may be called. */
  privateToo: boolean
  /** Whether addresses without TLS may be called. */
  plainHttp: boolean
}

/** Of a reply's body. */
const MAX_BYTES = 16_000_000
const MAX_SOCKETS = 256

const kept = new Map<boolean, OutgoingAgents>()
function agentsFor(privateToo: boolean): OutgoingAgents {
  const agents = kept.get(privateToo) ?? createAgents(privateToo, MAX_SOCKETS)
  kept.set(privateToo, agents)
  return agents
}

/** What is refused here reads like a provider's own refusal: asking again would bring nothing else. */
function refusal(message: string): Response {
  return Response.json({ error: { message } }, { status: 400 })
}

/**
 * `fetch` for calls to an address that somebody has typed: follows no redirect, and goes nowhere the guard does not allow, whatever
 * a name means by the time of the connection. Bodies are text or bytes, replies are taken in whole.
 */
export function guardedFetch({ privateToo, plainHttp }: Guard): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && plainHttp))
      return refusal(`${url.host} is not an https address.`)
    const secure = url.protocol === 'https:'
    const agents = agentsFor(privateToo)
    const body = bytesOf(init.body)
    const headers = Object.fromEntries(new Headers(init.headers))
    init.signal?.throwIfAborted()
    try {
      return await new Promise<Response>((resolve, reject) => {
        const call = (secure ? httpsRequest : httpRequest)(url, {
          method: init.method ?? 'GET',
          agent: secure ? agents.https : agents.http,
          headers: { ...headers, ...(body ? { 'content-length': String(body.byteLength) } : {}) },
          ...(init.signal ? { signal: init.signal } : {}),
        })
        call.on('error', reject)
        call.on('response', (reply) => takeIn(reply, url.host).then(resolve, reject))
        call.end(body)
      })
    } catch (error) {
      init.signal?.throwIfAborted()
      if (isRefusedAddress(error))
        return refusal(`${url.host} is a private address, which this Assay does not call.`)
      // As the platform's own fetch tells it, which whoever calls this knows.
      throw new TypeError('fetch failed', { cause: error })
    }
  }
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('only text and bytes can be sent')
}

async function takeIn(reply: IncomingMessage, host: string): Promise<Response> {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) {
    reply.destroy()
    return refusal(`${host} answered with a redirect instead of an answer.`)
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) {
      reply.destroy()
      return refusal(`${host} answered with more than we take.`)
    }
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers))
    if (value !== undefined) headers.set(name, String(value))
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : Buffer.concat(chunks), {
    status,
    statusText: reply.statusMessage ?? '',
    headers,
  })
}
