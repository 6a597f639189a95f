import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { HTTP_TIMEOUT_MS } from '@assay/shared/rules/limits.ts'
import type { z } from 'zod'
import { tokenStore } from '../session/browser-store.ts'
import { ApiError } from './api-error.ts'
import { type CallInput, requestHeaders } from './call-api.ts'
import { isCsrfTokenStale } from './csrf.ts'
import { parseBody, parseReply, signOutIfSessionEnded, urlFor } from './http-client.ts'

/** The server reads every PDF before it answers. */
const SERVER_CHECK_TIMEOUT_MS = 10 * 60_000

export interface UploadProgress {
  /** Bytes, the form's own wrapping included. */
  sent: number
  total: number
}

function buildFormData(body: unknown, files: Record<string, File | readonly File[]>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one))
  }
  // Fields first: the server streams, and needs a file's flags before the file.
  for (const [name, value] of Object.entries(files)) {
    for (const file of value instanceof File ? [value] : value) form.append(name, file, file.name)
  }
  return form
}

function sendOnce(
  method: string,
  url: string,
  headers: Headers,
  form: FormData,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const giveUpAfter = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reject(ApiError.of('timeout'))
        request.abort()
      }, ms)
    }
    request.open(method, url)
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    // The 30 s count only while nothing moves: a slow line may take as long as it needs.
    request.upload.onprogress = (event) => {
      giveUpAfter(HTTP_TIMEOUT_MS)
      onProgress({ sent: event.loaded, total: event.total })
    }
    request.upload.onload = () => giveUpAfter(SERVER_CHECK_TIMEOUT_MS)
    request.onload = () => {
      const body = parseBody(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(body)
      else reject(ApiError.fromReply(request.status, body, request.getResponseHeader('Retry-After')))
    }
    request.onerror = () => reject(ApiError.of('network_error'))
    request.onabort = () => reject(signal?.reason ?? ApiError.of('network_error'))
    request.onloadend = () => clearTimeout(timer)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    giveUpAfter(HTTP_TIMEOUT_MS)
    request.send(form)
  })
}

/** `fetch` reports no upload progress. */
export async function upload<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  onProgress: (progress: UploadProgress) => void,
): Promise<z.output<R>> {
  const url = urlFor(endpoint, input.params, input.query)
  const form = buildFormData(input.body, input.files ?? {})
  const token = tokenStore.get()
  const attempt = async (renewCsrf: boolean) =>
    sendOnce(
      endpoint.method.toUpperCase(),
      url,
      await requestHeaders(endpoint, renewCsrf),
      form,
      onProgress,
      input.signal,
    )
  try {
    // A refusal for an old token would come only after everything was sent.
    const body = await attempt(isCsrfTokenStale()).catch((error: unknown) => {
      if (error instanceof ApiError && error.isCsrf) return attempt(true)
      throw error
    })
    return parseReply(endpoint, body)
  } catch (error) {
    if (error instanceof ApiError) signOutIfSessionEnded(error, token)
    throw error
  }
}
