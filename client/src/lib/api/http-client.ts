import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { fillPath } from '@assay/shared/http/endpoint.ts'
import { HTTP_RETRIES, HTTP_RETRY_CAP_MS, HTTP_TIMEOUT_MS } from '@assay/shared/rules/limits.ts'
import type { z } from 'zod'
import { sessionEndedStore, tokenStore } from '../session/browser-store.ts'
import { API_BASE } from './api-base.ts'
import { ApiError } from './api-error.ts'
import { takeFirstReply } from './first-requests.ts'

type AnySchema = z.ZodType

export function urlFor(endpoint: Pick<Endpoint, 'path'>, params?: unknown, query?: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return API_BASE + fillPath(endpoint.path, { ...Object(params) }) + (text ? `?${text}` : '')
}

function encodeBody(endpoint: Endpoint, body: unknown): { data?: BodyInit; type?: string } {
  if (body === undefined) return endpoint.method === 'get' ? {} : { data: '{}', type: 'application/json' }
  if (endpoint.bodyType === 'form') return { data: new URLSearchParams({ ...Object(body) }) }
  return { data: JSON.stringify(body), type: 'application/json' }
}

export function plainHeaders(endpoint: Pick<Endpoint, 'raw'>): Headers {
  const headers = new Headers({ Accept: endpoint.raw ?? 'application/json' })
  const token = tokenStore.get()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  return headers
}

/** 30 s or `ms`, body included; `setTimeout`, which tests can move. */
function timeoutSignal(ms = HTTP_TIMEOUT_MS): AbortSignal {
  const limit = new AbortController()
  setTimeout(() => limit.abort(), ms)
  return limit.signal
}

async function fetchOnce(
  endpoint: Endpoint,
  url: string,
  input: { body?: unknown; signal?: AbortSignal },
  headers: Headers,
) {
  const { data, type } = encodeBody(endpoint, input.body)
  if (type) headers.set('Content-Type', type)
  const limit = timeoutSignal(endpoint.timeoutMs)
  try {
    const signal = input.signal ? AbortSignal.any([input.signal, limit]) : limit
    const first = takeFirstReply(endpoint.method, url)
    const reply = await (first
      ? abortable(first, signal)
      : fetch(url, { method: endpoint.method.toUpperCase(), headers, body: data, signal }))
    if (!reply.ok)
      throw ApiError.fromReply(reply.status, parseBody(await reply.text()), reply.headers.get('Retry-After'))
    return reply
  } catch (cause) {
    if (cause instanceof ApiError || input.signal?.aborted) throw cause
    throw ApiError.of(limit.aborted ? 'timeout' : 'network_error', undefined, { cause })
  }
}

/** A request made before has no signal of this call. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([promise, aborted])
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isTransient = (status: number) => status === 0 || status >= 500 || status === 408 || status === 429

/** 1 s doubled for each attempt, between 50 % and 100 % of it, 10 s at most. */
export function retryDelay(attempt: number, random = Math.random()): number {
  return Math.min(HTTP_RETRY_CAP_MS, 1000 * 2 ** attempt) * (0.5 + random / 2)
}

/** Tests shorten it. */
export const retryTimer = { wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)) }

/** Retries reads only: a change may have happened. `headersFor` gets a new CSRF token after a refusal. */
export async function fetchWithRetry(
  endpoint: Endpoint,
  url: string,
  input: { body?: unknown; signal?: AbortSignal; retry?: boolean },
  headersFor: (renewCsrf: boolean) => Headers | Promise<Headers>,
): Promise<Response> {
  let renewCsrf = false
  for (let attempt = 0; ; attempt++) {
    const token = tokenStore.get()
    try {
      return await fetchOnce(endpoint, url, input, await headersFor(renewCsrf))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A CSRF refusal comes before anything is done, so a change is safe to repeat once.
      if (error.isCsrf && !renewCsrf) {
        renewCsrf = true
        continue
      }
      signOutIfSessionEnded(error, token)
      const isRead = endpoint.method === 'get' && input.retry !== false
      const mayRepeat = isRead && isTransient(error.status) && attempt < HTTP_RETRIES
      const tooLong = (error.reply.retry_after ?? 0) * 1000 > HTTP_RETRY_CAP_MS
      if (!mayRepeat || tooLong || input.signal?.aborted) throw error
      await retryTimer.wait(retryDelay(attempt))
    }
  }
}

/** A late 401 says nothing of a later session. */
export function signOutIfSessionEnded(error: ApiError, token: string | null): void {
  if (error.status !== 401 || error.code === 'invalid_credentials' || tokenStore.get() !== token) return
  if (token) sessionEndedStore.set('yes')
  tokenStore.set(null)
}

export async function readReply<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  reply: Response,
): Promise<z.output<R>> {
  return parseReply(endpoint, parseBody(await reply.text()))
}

/** The built program takes any JSON (`built-schemas.ts`). */
export function parseReply<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  body: unknown,
): z.output<R> {
  const read = endpoint.reply.safeParse(body)
  if (read.success) return read.data
  console.error(`${endpoint.method} ${endpoint.path} sent a reply that does not match the contract`, read.error)
  throw ApiError.of('unexpected_error', 'Invalid response from server. Please try again.', { cause: read.error })
}
