import { type ErrorCode, type ErrorDetail, type ErrorReply, errorKinds } from '@assay/shared/http/errors.ts'
import { z } from 'zod'

interface AppErrorOptions {
  details?: ErrorDetail[]
  /** Seconds, for 429 and 503. */
  retryAfter?: number
  /** Overrides the code's own: a gateway tells 502 and 504 from 500. */
  status?: number
  fields?: Partial<ErrorReply>
  cause?: unknown
}

/** An expected failure with a message for the user; any other error is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly retryAfter: number | undefined
  readonly status: number
  readonly fields: Partial<ErrorReply>

  constructor(code: ErrorCode, message?: string, extra: AppErrorOptions = {}) {
    super(message ?? errorKinds[code].message, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.name = 'AppError'
    this.code = code
    this.details = extra.details
    this.retryAfter = extra.retryAfter
    this.status = extra.status ?? errorKinds[code].status
    this.fields = extra.fields ?? {}
  }
}

export function notFound(what = 'The requested resource could not be found.'): AppError {
  return new AppError('resource_not_found', what)
}

export async function orNotFound<T>(loading: PromiseLike<T | null>, what: string): Promise<T> {
  const found = await loading
  if (found === null) throw notFound(what)
  return found
}

export function tooManyRequests(seconds: number): AppError {
  const message = `Too many requests. Please wait ${seconds} seconds before trying again.`
  return new AppError('rate_limit_exceeded', message, { retryAfter: seconds })
}

export function invalidField(field: string, msg: string, type: string, message?: string): AppError {
  return new AppError('validation_failed', message, { details: [{ loc: ['body', field], msg, type }] })
}

export function invalidInput(path: string[], msg: string, type: string): AppError {
  return new AppError('validation_failed', msg, { details: [{ loc: ['body', ...path], msg, type }] })
}

export function validationError(error: z.ZodError, where: 'body' | 'query'): AppError {
  const details = error.issues.map((issue) => ({
    loc: [where, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
    msg: issue.message,
    type: issue.code,
  }))
  return new AppError('validation_failed', undefined, { details })
}

export function toErrorReply(error: AppError, requestId: string, now: Date): ErrorReply {
  const kind = errorKinds[error.code]
  return {
    detail: kind.status === 422 && error.details?.length ? error.details : error.message,
    message: error.message,
    error_code: error.code,
    category: kind.category,
    suggestions: kind.suggestions,
    can_retry: kind.can_retry,
    contact_support: kind.contact_support,
    request_id: requestId,
    timestamp: now.toISOString(),
    ...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),
    ...(error.details
      ? {
          validation_errors: error.details.map(({ loc, msg, type }) => ({
            field: loc.slice(1).join('.'),
            message: msg,
            constraint: type,
          })),
        }
      : {}),
    ...error.fields,
    ...(error.code === 'csrf_failed' ? { type: 'csrf_error' } : {}),
  }
}

const HttpError = z.object({ type: z.string().optional(), status: z.number() })

export function fromExpressError(error: unknown): AppError | null {
  if (error instanceof URIError) return notFound()
  const parsed = HttpError.safeParse(error)
  if (!parsed.success) return null
  const { type, status } = parsed.data
  const asAppError = (code: ErrorCode) => new AppError(code, undefined, { cause: error })
  if (type === 'entity.parse.failed') return asAppError('invalid_json')
  if (type === 'entity.too.large') return asAppError('payload_too_large')
  if (type === 'request.aborted') return asAppError('bad_request')
  if (status === 404) return asAppError('resource_not_found')
  if (status === 415) return asAppError('unsupported_media_type')
  return status >= 400 && status < 500 ? asAppError('bad_request') : null
}
