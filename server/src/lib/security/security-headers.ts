import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** Origins whose pages may put ours into a frame; none at all where it is empty. */
export type FrameAncestors = readonly string[]

/** For pages that act on nothing and show nothing of anybody: framing them gains an attacker nothing, and whoever frames them is told why. */
export const ANYONE = 'anyone'
export type Framing = FrameAncestors | typeof ANYONE

/** What is allowed in a policy. An address may contain more, such as a semicolon, which would begin another directive. */
export const isCspSource = (origin: string) => CSP_SOURCE.test(origin)
const CSP_SOURCE = /^https?:\/\/(\*\.)?[a-z0-9.[\]:-]+$/i

/** The value of `frame-ancestors` in a content security policy. */
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
  /** With https it turns on HSTS. */
  publicUrl: string
  /** Whose pages may frame those at `embeddablePaths`; the others may not be framed. */
  frameAncestors: () => FrameAncestors
  /** Paths of pages that others open: in a frame, or in a window that they exchange messages with, which needs its opener. */
  embeddablePaths: RegExp
  /** Scripts in our own pages, by hash. */
  inlineScripts: readonly string[]
}

/** What a browser may do with our pages. */
export function securityHeaders({
  publicUrl,
  frameAncestors,
  embeddablePaths,
  inlineScripts,
}: SecurityHeaderOptions): RequestHandler {
  const https = publicUrl.startsWith('https:')
  // A page whose session is in this browser's storage must not be framed under somebody's invisible button: an LMS lets its users write
  // pages, and on a school's own domain such a frame would be signed in.
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
