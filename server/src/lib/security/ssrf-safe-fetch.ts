import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { isBlockedAddressError, outgoingAgents } from './outgoing-agents.ts'

interface OutgoingPolicy {
  allowPrivateAddresses: boolean
  allowPlainHttp: boolean
  connectTimeoutMs?: number
}

const MAX_RESPONSE_BYTES = 16_000_000
const MAX_SOCKETS = 256

/** Marks replies made by this server itself. */
export const BLOCKED_HERE_HEADER = 'x-assay-refused'

/** Looks like the other server's 4xx, which callers do not retry. */
function blockedResponse(message: string): Response {
  return Response.json({ error: { message } }, { status: 400, headers: { [BLOCKED_HERE_HEADER]: 'yes' } })
}

/** No redirects; addresses are checked at connection, against DNS rebinding. */
export function createSsrfSafeFetch({
  allowPrivateAddresses,
  allowPlainHttp,
  connectTimeoutMs = 15_000,
}: OutgoingPolicy): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPlainHttp))
      return blockedResponse(`${url.host} does not use HTTPS. Enter an address that begins with https://.`)
    const secure = url.protocol === 'https:'
    const agents = outgoingAgents(allowPrivateAddresses, MAX_SOCKETS)
    const body = bodyBytes(init.body)
    const headers = Object.fromEntries(new Headers(init.headers))
    init.signal?.throwIfAborted()
    const send = () =>
      new Promise<Response>((resolve, reject) => {
        const call = (secure ? httpsRequest : httpRequest)(url, {
          method: init.method ?? 'GET',
          agent: secure ? agents.https : agents.http,
          headers: { ...headers, ...(body ? { 'content-length': String(body.byteLength) } : {}) },
          ...(init.signal ? { signal: init.signal } : {}),
        })
        call.on('error', (error) => {
          // The server had closed the idle connection: the request never arrived.
          const stale = call.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
          if (stale) send().then(resolve, reject)
          else reject(error)
        })
        call.once('socket', (socket) => setConnectTimeout(connectTimeoutMs, socket))
        call.on('response', (reply) => readResponse(reply, url).then(resolve, reject))
        call.end(body)
      })
    try {
      return await send()
    } catch (error) {
      init.signal?.throwIfAborted()
      if (isBlockedAddressError(error))
        return blockedResponse(
          `${url.host} is a private address. This Assay server is not allowed to connect to private addresses.`,
        )
      // As the platform's own fetch does.
      throw new TypeError('fetch failed', { cause: error })
    }
  }
}

/** Firewalls may drop packets without an error. A reused socket is connected already. */
function setConnectTimeout(ms: number, socket: Socket): void {
  if (!socket.connecting) return
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' })),
    ms,
  )
  const end = () => clearTimeout(timer)
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', end).once('close', end)
}

function bodyBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('only text and bytes can be sent')
}

async function readResponse(reply: IncomingMessage, url: URL): Promise<Response> {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) {
    reply.destroy()
    return blockedResponse(
      `${url.host} redirects to another address${redirectTarget(reply, url)}. Assay does not follow redirects because the request may contain a key. Enter the final address.`,
    )
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) {
      reply.destroy()
      return blockedResponse(`The reply from ${url.host} is too large (over 16 MB).`)
    }
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers))
    if (value !== undefined && name !== BLOCKED_HERE_HEADER) headers.set(name, String(value))
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : Buffer.concat(chunks), { status, statusText: reply.statusMessage ?? '', headers })
}

function redirectTarget({ headers }: IncomingMessage, from: URL): string {
  const to = headers.location === undefined ? null : URL.parse(headers.location, from.href)
  return to && /^https?:$/.test(to.protocol) ? ` (${to.origin}${to.pathname})`.slice(0, 150) : ''
}
