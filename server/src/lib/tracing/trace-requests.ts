import type { Request, RequestHandler } from 'express'
import { requestMethodOf, routeOf } from '../metrics/measure-requests.ts'
import { SpanKind, SpanStatusCode, startSpan } from './tracing.ts'

/** What is asked every few seconds and says nothing. */
const UNTRACED = /^\/(healthz|readyz|metrics|assets)\b/

/**
 * Begins a trace with each request, or continues a proxy's. Without a proxy in front anybody could choose it.
 * @param routeOfOther as for `measureRequests`
 */
export function traceRequests(routeOfOther: (request: Request) => string = () => 'other'): RequestHandler {
  return (request, response, next) => {
    if (UNTRACED.test(request.path)) return next()
    const given = request.app.get('trust proxy') ? request.get('traceparent') : undefined
    const method = requestMethodOf(request)
    const { span, within } = startSpan(given, method, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'assay.request_id': String(response.locals.requestId ?? '') },
    })
    response.on('close', () => {
      const known = routeOf(request, response)
      const route = known === 'other' ? routeOfOther(request) : known
      span.updateName(`${method} ${route}`)
      span.setAttribute('http.route', route)
      if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode)
      if (!response.writableFinished) span.setAttribute('error.type', 'aborted')
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    within(next)
  }
}
