import { codeForStatus, type ErrorCode, type ErrorReply, errorKinds } from '@assay/shared/http/errors.ts'
import { withLocalTimes } from '../format.ts'
import { detailOf, isErrorReply, newerCodeOf, readDetail } from './error-reply.ts'

function errorReplyFor(code: ErrorCode, detail?: string | null): ErrorReply {
  const { status: _, ...kind } = errorKinds[code]
  return {
    ...kind,
    detail: detail ?? kind.message,
    error_code: code,
    request_id: '',
    timestamp: new Date().toISOString(),
  }
}

function replyInOurShape(status: number, body: unknown, retryAfter: string | null): ErrorReply {
  const reply = errorReplyFor(codeForStatus(status), readDetail(body))
  if (status === 429) {
    const seconds = Number.parseInt(retryAfter ?? '', 10) || 60
    reply.retry_after = seconds
    reply.message = `Too many requests. Please wait ${seconds} seconds before trying again.`
  }
  reply.detail = detailOf(body) ?? reply.detail
  return reply
}

/** Follows the server's words, since most places show nothing else of an error. */
const RELOAD = 'Assay was updated after you opened this page: reload it and try again.'

/** The one way a call fails. `status` is 0 when no reply came. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly reply: ErrorReply

  constructor(status: number, reply: ErrorReply, options?: ErrorOptions) {
    const words = typeof reply.detail === 'string' ? reply.detail : (readDetail(reply) ?? reply.message)
    super(withLocalTimes(words), options)
    this.status = status
    this.reply = reply
  }

  static of(code: ErrorCode, detail?: string, options?: ErrorOptions): ApiError {
    return new ApiError(errorKinds[code].status, errorReplyFor(code, detail), options)
  }

  static fromReply(status: number, body: unknown, retryAfter: string | null): ApiError {
    const reply = isErrorReply(body) ? body : replyInOurShape(status, body, retryAfter)
    const code = newerCodeOf(body)
    if (code === null) return new ApiError(status, reply)
    const detail = typeof reply.detail === 'string' ? `${reply.detail} ${RELOAD}` : reply.detail
    return new ApiError(status, { ...reply, error_code: code, detail })
  }

  withDetail(detail: string): ApiError {
    return new ApiError(this.status, { ...this.reply, detail })
  }

  get code(): string {
    return this.reply.error_code
  }

  get isCsrf(): boolean {
    return this.status === 403 && this.reply.type === 'csrf_error'
  }

  /** For a form: `['body', 'email']` lands at `email`; the first message for a field counts. */
  get fields(): Record<string, string> {
    const list = Array.isArray(this.reply.detail) ? this.reply.detail : []
    const found: Record<string, string> = {}
    for (const { loc, msg } of list) {
      const path = loc.filter((part, index) => index > 0 || !['body', 'query', 'params', 'files'].includes(`${part}`))
      found[path.join('.')] ??= msg
    }
    for (const { field, message } of this.reply.validation_errors ?? []) {
      found[field.replace(/^(body|query|params|files)\./, '')] ??= message
    }
    return found
  }
}

export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  return ApiError.of('unexpected_error', undefined, { cause })
}

/** The server's words where it had some, else `fallback`. */
export function messageOf(cause: unknown, fallback: string): string {
  if (!(cause instanceof ApiError)) return fallback
  return cause.message === '' || cause.message === errorKinds.unexpected_error.message ? fallback : cause.message
}
