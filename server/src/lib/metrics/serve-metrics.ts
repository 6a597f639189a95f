import { setTimeout as after } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import { AppError, notFound } from '../http/app-error.ts'
import { bearerTokenOf } from '../http/handle.ts'
import type { Log } from '../log.ts'
import { isSameSecret } from '../security/hash-of.ts'
import { type Metrics, secondsSince } from './metrics.ts'

/** Shorter than Prometheus's ten seconds. */
const TIMEOUT_MS = 3_000

/** Set gauges for what is not counted as it happens. */
export type Collectors = Record<string, () => Promise<void> | void>

/** None without a token. A failing collector is left out, and counted. */
export function serveMetrics(
  token: string | null,
  metrics: Pick<Metrics, 'registry' | 'scrapeFailures'>,
  collectors: Collectors,
  log: Log,
): RequestHandler {
  const collect = async (part: string, work: Collectors[string]) => {
    const stop = new AbortController()
    const tooLate = after(TIMEOUT_MS, null, { signal: stop.signal }).then(() => {
      throw new Error(`no answer within ${TIMEOUT_MS} ms`)
    })
    try {
      // If it throws at once, the timer must not reject unhandled.
      await Promise.race([Promise.resolve().then(work), tooLate])
    } catch (error) {
      metrics.scrapeFailures.inc({ part })
      log.warn({ err: error, part }, 'a part of the metrics could not be collected')
    } finally {
      stop.abort()
    }
  }
  return async (request, response) => {
    if (token === null) throw notFound()
    const sent = bearerTokenOf(request)
    if (sent === null || !isSameSecret(sent, token)) throw new AppError('auth_required')
    await Promise.all(Object.entries(collectors).map(([part, work]) => collect(part, work)))
    response.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
    response.send(await metrics.registry.metrics())
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const mounts = new Set(['', '/api/v1', '/lti', '/assets'])
/** Never the requested path. */
function routeOf(request: Request, response: Response): string {
  if (typeof response.locals.route === 'string') return response.locals.route
  const mount = request.baseUrl.toLowerCase()
  if (!mounts.has(mount)) return 'other'
  const pattern: unknown = request.route?.path
  if (typeof pattern === 'string') return mount + pattern
  return mount === '/assets' ? mount : 'other'
}

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
          // Never the caller's own word.
          method: methods.has(request.method) ? request.method : 'other',
          route: known === 'other' ? routeOfOther(request) : known,
          status: whole ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted',
        },
        secondsSince(began),
      )
    })
    next()
  }
}
