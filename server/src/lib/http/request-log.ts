import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import type { Log } from '../log.ts'
import { runForRequest } from '../request-context.ts'

/** Long and random segments grant access. */
const SECRET_PATH_SEGMENT = /[\w-]{40,}/g
const REQUEST_ID = /^[\w.-]{8,64}$/

/** A proxy's id, to find a request in every log. Without a proxy, callers could choose it. */
function givenRequestId(request: Request): string | null {
  const given = request.get('x-request-id')
  return request.app.get('trust proxy') && given && REQUEST_ID.test(given) ? given : null
}

/** The path is logged without secrets. */
export function logRequests(log: Log): RequestHandler {
  return (request, response, next) => {
    response.setMaxListeners(20)
    const requestId = givenRequestId(request) ?? randomUUID()
    response.locals.requestId = requestId
    response.setHeader('X-Request-Id', requestId)
    const began = performance.now()
    const { method } = request
    // Read now: routers change the path.
    const path = request.path.replace(SECRET_PATH_SEGMENT, '…')
    // `close` comes after every request, `finish` only after complete replies.
    response.on('close', () => {
      const broken = !response.writableFinished
      const level = response.statusCode >= 500 ? 'error' : 'debug'
      log[level](
        {
          requestId,
          method,
          path,
          status: response.headersSent ? response.statusCode : null,
          ms: Math.round(performance.now() - began),
        },
        broken ? 'request aborted' : 'request',
      )
    })
    runForRequest(requestId, next)
  }
}
