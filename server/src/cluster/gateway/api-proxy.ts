import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeForStatus, ErrorReply } from '@assay/shared/http/errors.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import type { Request, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { z } from 'zod'
import { AppError, tooManyRequests } from '../../lib/http/app-error.ts'
import type { Log } from '../../lib/log.ts'

const forwardedPaths = ['/api/v1', '/socket.io', '/lti']

export function isForwarded(url = '/'): boolean {
  const path = URL.parse(url, 'http://assay.invalid')?.pathname
  return forwardedPaths.some((start) => path === start || path?.startsWith(`${start}/`))
}

/** Of one connection, not of the reply (RFC 9110, 7.6.1). */
const hopByHopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer'])
const bodyHeaders = new Set([...hopByHopHeaders, 'content-length', 'content-encoding'])

function copyStatusAndHeaders(from: IncomingMessage, to: ServerResponse, without: Set<string> = hopByHopHeaders): void {
  to.statusCode = from.statusCode ?? 502
  for (const [name, value] of Object.entries(from.headers)) {
    if (value !== undefined && !without.has(name)) to.setHeader(name, value)
  }
}

const MAX_ERROR_BYTES = 256 * 1024
const DEFAULT_RETRY_SECONDS = 60
const Detail = z.object({ detail: z.string().min(1) })

const decompressors: Record<string, () => Transform> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const unpack = decompressors[reply.headers['content-encoding'] ?? '']
  const content: Readable = unpack ? reply.pipe(unpack()) : reply
  const parts: Buffer[] = []
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > MAX_ERROR_BYTES) break
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

async function toUpstreamError(reply: IncomingMessage): Promise<ErrorReply | AppError> {
  const body = parseJson(await textOf(reply))
  const ours = ErrorReply.safeParse(body)
  if (ours.success) return ours.data
  const status = reply.statusCode ?? 502
  if (status === 429) {
    const retryAfter = Number.parseInt(reply.headers['retry-after'] ?? '', 10) || DEFAULT_RETRY_SECONDS
    return tooManyRequests(retryAfter)
  }
  // Messages of internal upstream errors belong in its own log.
  const detail = status < 500 ? Detail.safeParse(body).data?.detail : undefined
  return new AppError(codeForStatus(status), detail, { status })
}

class UpstreamTimeout extends Error {
  override name = 'Silence'
}

interface ApiProxyOptions {
  target: string
  timeoutMs: number
  log: Log
  replyWithError: (error: AppError, request: Request, response: Response) => void
}

/** Puts upstream errors into our format, so that screens get a message. */
export function createApiProxy({ target, timeoutMs, log, replyWithError }: ApiProxyOptions) {
  async function answer(reply: IncomingMessage, request: Request, response: Response): Promise<void> {
    // Browsers inside an LMS show what launch endpoints answer, so refusals there are pages.
    const page = reply.headers['content-type']?.startsWith('text/html') && request.path.startsWith('/lti/')
    if ((reply.statusCode ?? 502) < 400 || request.method === 'HEAD' || page) {
      copyStatusAndHeaders(reply, response)
      return pipeline(reply, response)
    }
    const error = await toUpstreamError(reply)
    if (error instanceof AppError) return replyWithError(error, request, response)
    copyStatusAndHeaders(reply, response, bodyHeaders)
    response.end(JSON.stringify(error))
  }

  return createProxyMiddleware<Request, Response>({
    target,
    pathFilter: (_path, { originalUrl, url }) => isForwarded(originalUrl ?? url),
    selfHandleResponse: true,
    on: {
      proxyReq: (outgoing) => {
        outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new UpstreamTimeout('the API did not answer')))
      },
      proxyRes: (reply, request, response) => {
        answer(reply, request, response).catch((error: unknown) => {
          log.debug({ err: error, path: request.path }, 'reply aborted')
          response.destroy()
        })
      },
      error: (error, request, response) => {
        // A websocket has no reply for an error; the client reconnects.
        if (!('setHeader' in response) || response.headersSent || response.destroyed) return void response.destroy()
        // Without the query, which may hold a token.
        const { requestId } = response.locals
        log.warn({ err: error, requestId, path: request.path }, 'the API could not be reached')
        const status = error instanceof UpstreamTimeout ? 504 : 502
        replyWithError(new AppError('service_unavailable', undefined, { status, cause: error }), request, response)
      },
    },
  })
}
