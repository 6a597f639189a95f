import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** Whose pages may frame ours. */
export type FrameAncestors = readonly string[]
/** For pages with nothing personal: framing gains an attacker nothing, and the framer sees the refusal. */
export const ANYONE = 'anyone'
export type Framing = FrameAncestors | typeof ANYONE
/** Other characters, such as a semicolon, could begin another directive. */
export const isCspSource = (origin: string) => CSP_SOURCE.test(origin)
const CSP_SOURCE = /^https?:\/\/(\*\.)?[a-z0-9.[\]:-]+$/i

export function frameAncestorsDirective(framing: Framing): string {
  if (framing === ANYONE) return '*'
  const sources = framing.filter(isCspSource)
  return sources.length === 0 ? "'none'" : ["'self'", ...sources].join(' ')
}

/** The older header has no lists: sent only where framing is forbidden. */
export function setXFrameOptions(response: Response, framing: Framing): void {
  if (framing.length === 0) response.set('X-Frame-Options', 'DENY')
  else response.removeHeader('X-Frame-Options')
}

interface SecurityHeaderOptions {
  publicUrl: string
  /** Of the pages at `embeddablePaths`; others may not be framed. */
  frameAncestors: () => FrameAncestors
  /** Opened in a frame, or in a window that needs its opener for messages. */
  embeddablePaths: RegExp
  inlineScripts: readonly string[]
}

export function securityHeaders({
  publicUrl,
  frameAncestors,
  embeddablePaths,
  inlineScripts,
}: SecurityHeaderOptions): RequestHandler {
  const https = publicUrl.startsWith('https:')
  // A signed-in page must not be framed under an invisible button: LMS users can write pages, and on a school's own
  // domain the frame would be signed in.
  const framingAt = (path = '') => (embeddablePaths.test(path) ? frameAncestors() : [])
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScripts], // pdf.js decodes some scans in WebAssembly.
        styleSrc: ["'self'", "'unsafe-inline'"], // Mantine writes its theme into a style element.
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: [({ url }) => frameAncestorsDirective(framingAt(url))],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: false,
  })
  return (request, response, next) => {
    setXFrameOptions(response, framingAt(request.url))
    headers(request, response, (error) => {
      if (embeddablePaths.test(request.path)) response.removeHeader('Cross-Origin-Opener-Policy')
      next(error)
    })
  }
}
