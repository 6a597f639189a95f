import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import type { z } from 'zod'
import { tokenStore } from '../session/browser-store.ts'
import { currentCsrfToken, fetchCsrfToken, storeCsrfToken } from './csrf.ts'
import { fetchWithRetry, plainHeaders, readReply, urlFor } from './http-client.ts'

type OptionalIfUndefined<K extends string, T> = undefined extends T ? { [key in K]?: T } : { [key in K]: T }

export type CallInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = OptionalIfUndefined<
  'params',
  z.output<P>
> &
  OptionalIfUndefined<'body', z.input<B>> & {
    query?: Partial<z.output<Q>>
    files?: Record<string, File | readonly File[]>
    signal?: AbortSignal
    /** False gives up at the first failure of a read. */
    retry?: boolean
  }

export interface ApiResponse<T> {
  body: T
  total: number | null
}

type AnySchema = z.ZodType

export async function requestHeaders(endpoint: Endpoint, renewCsrf: boolean): Promise<Headers> {
  const headers = plainHeaders(endpoint)
  if (endpoint.method !== 'get' && headers.has('Authorization')) {
    headers.set(CSRF_HEADER, renewCsrf ? await fetchCsrfToken() : await currentCsrfToken())
  }
  return headers
}

function send<P extends AnySchema, Q extends AnySchema, B extends AnySchema>(
  endpoint: Endpoint<P, Q, B>,
  input: CallInput<P, Q, B>,
): Promise<Response> {
  const url = urlFor(endpoint, input.params, input.query)
  return fetchWithRetry(endpoint, url, input, (renewCsrf) => requestHeaders(endpoint, renewCsrf))
}

export async function callApi<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
): Promise<ApiResponse<z.output<R>>> {
  const token = tokenStore.get()
  const reply = await send(endpoint, input)
  const csrf = reply.headers.get(CSRF_HEADER)
  if (csrf && token === tokenStore.get()) storeCsrfToken(csrf)
  const total = reply.headers.get('X-Total-Count')
  return { body: await readReply(endpoint, reply), total: total === null ? null : Number(total) }
}

export async function fetchFile<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
): Promise<Blob> {
  const reply = await send(endpoint, input)
  return await reply.blob()
}

/** `total` is from `X-Total-Count`. */
export async function fetchFileInPieces<
  P extends AnySchema,
  Q extends AnySchema,
  B extends AnySchema,
  R extends AnySchema,
>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  onPiece: (piece: Uint8Array, total: number | null) => void,
): Promise<Blob> {
  const reply = await send(endpoint, input)
  const header = reply.headers.get('X-Total-Count')
  const total = header === null ? null : Number(header)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = reply.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) break
    pieces.push(piece.value)
    onPiece(piece.value, total)
  }
  return new Blob(pieces, { type: endpoint.raw ?? '' })
}
