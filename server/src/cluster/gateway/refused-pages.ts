import type { RequestHandler } from 'express'
import type { Log } from '../../lib/log.ts'
import { ANYONE, setXFrameOptions } from '../../lib/security/security-headers.ts'

const TIMEOUT_MS = 3_000
const COPIED_HEADERS = ['content-type', 'content-security-policy', 'cache-control', 'referrer-policy']

/** Replaces the client for a launch whose LMS is not active by the API server's refusal, which any page may frame. */
export function serveRefusedPages(target: string, log: Log): RequestHandler<{ launchId: string }> {
  return async ({ params, method }, response, next) => {
    if (method !== 'GET' && method !== 'HEAD') return next()
    const address = new URL(`/lti/refused-page/${encodeURIComponent(params.launchId)}`, target)
    const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
      // The client reports an unreachable API itself.
      log.warn({ err: error }, 'could not ask the API whether a launch is refused')
      return null
    })
    // Another implementation of the API may not have this page.
    if (reply?.status !== 403 || !reply.headers.get('content-type')?.startsWith('text/html')) return next()
    for (const name of COPIED_HEADERS) {
      const value = reply.headers.get(name)
      if (value !== null) response.set(name, value)
    }
    setXFrameOptions(response, ANYONE)
    response.status(403).send(await reply.text())
  }
}
