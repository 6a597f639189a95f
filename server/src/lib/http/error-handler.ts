import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Clock } from '../clock.ts'
import { isOutOfSpaceError } from '../database/database.ts'
import type { Log } from '../log.ts'
import { isDiskFullError } from '../storage/file-store.ts'
import { AppError, fromExpressError, notFound, toErrorReply } from './app-error.ts'

function fromStorageError(error: unknown): AppError | null {
  const full = isOutOfSpaceError(error) || isDiskFullError(error)
  return full ? new AppError('storage_full', undefined, { cause: error }) : null
}

export function createErrorHandler({ log, clock }: { log: Log; clock: Clock }): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const known = error instanceof AppError ? error : (fromStorageError(error) ?? fromExpressError(error))
    const requestId: string = response.locals.requestId ?? ''
    if (!known) log.error({ err: error, requestId, method: request.method, path: request.path }, 'a request failed')
    if (response.headersSent) return void response.destroy()
    const failure = known ?? new AppError('service_unavailable', undefined, { cause: error })
    if (failure.retryAfter !== undefined) response.setHeader('Retry-After', String(failure.retryAfter))
    // The rest of the body is read and dropped: closing now would lose the reply.
    if (!request.complete) request.resume()
    response.status(failure.status).json(toErrorReply(failure, requestId, clock.now()))
  }
}

export const refuseUnknownPath: RequestHandler = () => {
  throw notFound()
}
