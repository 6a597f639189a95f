import type { Request, RequestHandler, Response } from 'express'
import { type Metrics, secondsSince } from './metrics.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Express matches upper case too, which would make another label. */
const mounts = new Set(['', '/api/v1', '/lti', '/assets'])

/** Never the caller's own word. */
export const requestMethodOf = ({ method }: Request): string => (methods.has(method) ? method : 'other')

/** A route's pattern such as `/api/v1/courses/:courseId`, never the requested path. */
export function routeOf(request: Request, response: Response): string {
  if (typeof response.locals.route === 'string') return response.locals.route
  const mount = request.baseUrl.toLowerCase()
  if (!mounts.has(mount)) return 'other'
  const pattern: unknown = request.route?.path
  if (typeof pattern === 'string') return mount + pattern
  return mount === '/assets' ? mount : 'other'
}

/** @param routeOfOther names requests without a route of ours, such as those a gateway passes on */
export function measureRequests(
  { requestSeconds }: Pick<Metrics, 'requestSeconds'>,
  routeOfOther: (request: Request) => string = () => 'other',
): RequestHandler {
  return (request, response, next) => {
    const began = performance.now()
    // `close` comes after every request, `finish` only after complete replies.
    response.on('close', () => {
      const known = routeOf(request, response)
      const whole = response.writableFinished
      requestSeconds.observe(
        {
          method: requestMethodOf(request),
          route: known === 'other' ? routeOfOther(request) : known,
          status: whole ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted',
        },
        secondsSince(began),
      )
    })
    next()
  }
}
