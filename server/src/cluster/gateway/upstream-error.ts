import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeForStatus, ErrorReply } from '@assay/shared/http/errors.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { AppError, tooManyRequests } from '../../lib/http/app-error.ts'

/** Larger replies are no error messages. */
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

/** Unchanged if it is in the error format, else our message for its status. */
export async function toUpstreamError(reply: IncomingMessage): Promise<ErrorReply | AppError> {
  const body = parseJson(await textOf(reply))
  const ours = ErrorReply.safeParse(body)
  if (ours.success) return ours.data
  const status = reply.statusCode ?? 502
  if (status === 429) {
    const retryAfter = Number.parseInt(reply.headers['retry-after'] ?? '', 10) || DEFAULT_RETRY_SECONDS
    return tooManyRequests(retryAfter)
  }
  // Messages for the caller are passed on; those of internal upstream errors belong in its own log.
  const detail = status < 500 ? Detail.safeParse(body).data?.detail : undefined
  return new AppError(codeForStatus(status), detail, { status })
}
